"""The real app on a free port of this machine, for the browser tests and the benchmark."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serve(
    script: Path = ROOT / "dashboard.py",
    cwd: Path = ROOT,
    address: str | None = "127.0.0.1",
    env: Mapping[str, str] = MappingProxyType({}),
    program: str = "streamlit",
    log: Path = Path(os.devnull),
    port: int | None = None,
    path: str = "",
) -> Iterator[str]:
    """Run the app; yield its address; end it, whatever happens.

    Without `address` it listens as it does for a reader, on all addresses of the machine. `program`
    is the module that stands in for Streamlit, `log` the file that takes what the server writes,
    `path` ("/lab") where the app stands below its host's name.
    """
    port = port or free_port()
    command = [sys.executable, "-m", program, "run", str(script), f"--server.port={port}"]
    command += [f"--server.address={address}"] if address else []
    command += [f"--server.baseUrlPath={path}"] if path else []
    with log.open("ab") as written:
        process = subprocess.Popen(
            command, cwd=cwd, env=os.environ | env, stdout=written, stderr=subprocess.STDOUT
        )
        try:
            _wait(f"http://127.0.0.1:{port}{path}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}{path}"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(address: str, process: subprocess.Popen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError("the server did not start")
