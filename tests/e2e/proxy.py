"""Two instances of the lab behind nginx, as a school would run them: `python -m tests.e2e.proxy`.

They stand below a path, and a cookie keeps every reader on one instance. It is tried in a browser:
a deep link and a slider, reloads, a proxy that is started anew, an instance that ends. Where there
is no nginx, it is installed on Debian as root. All of it is on this machine, on free ports.
"""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from string import Template

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.browser import FLAGS, find, from_debian
from tests.e2e.conftest import SETTLED
from tests.e2e.deep_link import answers
from tests.e2e.server import free_port, serve

CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"
OPTIONS = {"STREAMLIT_SERVER_ALLOWED_HOSTS": "127.0.0.1"}
SITE = Template("""
map $$http_upgrade $$connection_upgrade { "" close; default upgrade; }
map $$cookie_lab $$reader { "" $$request_id; default $$cookie_lab; }
map $$cookie_lab $$new_cookie { "" "lab=$$request_id; Path=/lab/; HttpOnly; SameSite=Lax"; }

upstream lab {
    hash $$reader consistent;
    server 127.0.0.1:$first max_fails=1 fail_timeout=10s;
    server 127.0.0.1:$second max_fails=1 fail_timeout=10s;
}

server {
    listen 127.0.0.1:$port;
    location /lab/ {
        proxy_pass http://lab;
        proxy_http_version 1.1;
        proxy_set_header Host $$http_host;
        proxy_set_header Upgrade $$http_upgrade;
        proxy_set_header Connection $$connection_upgrade;
        proxy_read_timeout 1h;
        add_header Set-Cookie $$new_cookie;
    }
}
""")
"""What is inside of `http { … }`, the same as in the README but for the ports."""
WHOLE = Template("""
daemon off;
master_process off;
pid $folder/pid;
error_log $folder/errors;
events {}
http {
    log_format who "$$reader $$upstream_addr $$status $$request_uri";
    access_log $folder/requests who;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    $site
}
""")


def installed() -> str | None:
    """Return the path of nginx; install it where that is possible."""
    if not shutil.which("nginx"):
        from_debian("nginx-light")
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@contextlib.contextmanager
def proxy(nginx: str, folder: Path, port: int) -> Iterator[None]:
    """Run nginx with the configuration that lies in the folder; end it, whatever happens."""
    command = [nginx, "-p", str(folder), "-e", str(folder / "errors"), "-c", str(folder / "conf")]
    process = subprocess.Popen(command)
    try:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(20)


def instances(folder: Path) -> dict[str, set[str]]:
    """Return which instances have answered each reader, by what nginx has written."""
    seen: dict[str, set[str]] = {}
    for line in (folder / "requests").read_text().splitlines():
        reader, instance, *_ = line.split()
        seen.setdefault(reader, set()).add(instance)
    return seen


def reader(context: BrowserContext) -> str:
    """Return the cookie that the proxy has given to a browser."""
    return next(it.get("value", "") for it in context.cookies() if it.get("name") == "lab")


def connections(folder: Path, cookie: str) -> int:
    """Return how many websockets of a reader have been opened and have ended."""
    lines = (folder / "requests").read_text().splitlines()
    return sum(line.startswith(cookie) and " 101 " in line for line in lines)


def trained(page: Page, address: str) -> None:
    """Train something of one's own, which only the session on this instance knows."""
    page.goto(f"{address}/live_training?lt_epochs=1&lt_seed=7&lang=en")
    page.get_by_role("button", name="Train", exact=True).click()
    whole(page)


def whole(page: Page) -> None:
    """See a run of one's own that has come to its end."""
    expect(page.get_by_test_id("stText").first).to_contain_text("Finished", timeout=200_000)
    expect(page.get_by_text("The lab's own run")).to_have_count(0)


def two_readers(browser: Browser, address: str, folder: Path) -> list[Page]:
    """Open readers, each with cookies of its own, until each instance has one."""
    pages: dict[str, Page] = {}
    for _ in range(20):
        page = browser.new_context(locale="en-US").new_page()
        page.goto(address + "/")
        page.wait_for_selector(SETTLED)
        (instance,) = instances(folder)[reader(page.context)]
        pages.setdefault(instance, page)
        if len(pages) == 2:
            return list(pages.values())
    raise AssertionError(f"all readers are on {list(pages)}")


def check(browser: Browser, nginx: str, folder: Path) -> Iterator[str]:
    """Start everything, and yield a sentence for each thing that held."""
    port, *behind = [free_port() for _ in range(3)]
    address = f"http://127.0.0.1:{port}/lab"
    site = SITE.substitute(port=port, first=behind[0], second=behind[1])
    (folder / "conf").write_text(WHOLE.substitute(folder=folder, site=site))
    with contextlib.ExitStack() as first, contextlib.ExitStack() as rest:
        for stack, instance in zip((first, rest), behind, strict=True):
            stack.enter_context(serve(port=instance, path="/lab", env=OPTIONS))
        with proxy(nginx, folder, port):
            asked: list[str] = []
            page = browser.new_context(locale="en-US").new_page()
            page.on("request", lambda request: asked.append(request.url))
            answers(page, address)
            yield "a deep link below /lab opens through the proxy; its slider moves the chart"
            with page.expect_download() as saved:
                page.get_by_role("button", name="Save data").first.click()
            assert saved.value.path().stat().st_size > 1000
            yield "the rows of a figure are saved through it"
            own = (address, address.replace("http", "ws"), "data:", "blob:")
            assert not [url for url in asked if not url.startswith(own)]
            yield "nothing outside of /lab was asked for"
            pages = two_readers(browser, address, folder)
            yield "readers are spread over both instances"
            for page in pages:
                for _ in range(3):
                    answers(page, address)
                    page.reload()
                    page.wait_for_selector(SETTLED)
                trained(page, address)
        with proxy(nginx, folder, port):
            for page in pages:
                page.wait_for_selector(CONNECTED)
                page.get_by_text("简体中文").click()
                expect(page.get_by_role("heading", name="实时训练")).to_be_visible()
                page.get_by_text("English", exact=True).click()
                whole(page)
            yield "a proxy started anew finds every reader's session again, with its own run"
            for page in pages:
                page.goto("about:blank")
            time.sleep(1)
            seen = instances(folder)
            for cookie in (reader(page.context) for page in pages):
                assert len(seen[cookie]) == 1
                assert connections(folder, cookie) >= 8
            yield "over all reloads and new connections each stayed on its instance"
            first.close()
            for page in pages:
                answers(page, address)
            yield "when an instance ends, its readers are served by the other"


def main() -> int:
    """Check everything and say what held; what does not hold is raised. Return 1 without nginx."""
    try:
        nginx = installed()
    except (subprocess.SubprocessError, OSError) as error:
        print(f"nginx could not be installed: {error}", file=sys.stderr)
        return 1
    path = find()
    if not nginx or not path:
        print("This needs nginx (on Debian: nginx-light) and chromium.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            for sentence in check(browser, nginx, Path(folder)):
                print(f"held: {sentence}", flush=True)
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
