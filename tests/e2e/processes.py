"""What the system knows about a running server and its training process. Linux only."""

import os
from pathlib import Path

PROC = Path("/proc")
KNOWN = PROC.is_dir()
"""Whether this system can be asked."""
TORCH_AT_ONCE = ("layernorm_placement",)
"""The lessons whose first screen needs torch: it measures gradients."""


def server(address: str) -> int:
    """Return the process that serves an address, by its command line."""
    port = address.rsplit(":", 1)[1]
    return next(pid for pid in _all() if f"--server.port={port}" in _command(pid))


def worker(server: int) -> int | None:
    """Return the training process of a server, if it has one."""
    return next((pid for pid in _all() if _parent(pid) == server and trains(pid)), None)


def trains(pid: int) -> bool:
    """Return whether a process is there and is a training process."""
    return "core.worker" in _command(pid)


def busy(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    user, system = _stat(pid)[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = (PROC / str(pid) / "statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def libraries(pid: int) -> set[str]:
    """Return the names of the files that a process has mapped."""
    lines = (PROC / str(pid) / "maps").read_text().splitlines()
    return {Path(line.split(maxsplit=5)[5]).name for line in lines if line.count("/")}


def _all() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def _command(pid: int) -> list[str]:
    try:
        return (PROC / str(pid) / "cmdline").read_text().split("\0")
    except OSError:
        return []


def _parent(pid: int) -> int:
    try:
        return int(_stat(pid)[1])
    except OSError:
        return 0


def _stat(pid: int) -> list[str]:
    """Return the fields of `stat` from the state on: what follows the name in brackets."""
    return (PROC / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()
