"""A JupyterLab server and a headless Chromium for the tests of the widgets, each with an end of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

TOKEN = "cubelab"
#: Seconds until a server has started, a page has loaded, an answer has come: much more than they take.
START, PAGE, ANSWER = 120, 90, 60
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
#: No news from the network; light or dark as the browser prefers.
PAGE_CONFIG = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
THEMES = {
    "adaptive-theme": True,
    "preferred-light-theme": "JupyterLab Light",
    "preferred-dark-theme": "JupyterLab Dark",
}


def chromium_path() -> str | None:
    """The Chromium of this machine."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def write_notebook(folder: Path, name: str, source: str) -> None:
    """A notebook of one cell."""
    cell = {"cell_type": "code", "id": "only", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    book = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / f"{name}.ipynb").write_text(json.dumps(book), encoding="utf-8")


@contextlib.contextmanager
def running_lab(folder: Path) -> Iterator[str]:
    """A server for the notebooks in `folder`; yields its address. It ends by itself when it is left alone."""
    config = folder / ".config"
    _write(config / "labconfig" / "page_config.json", PAGE_CONFIG)
    settings = config / "settings"
    _write(settings / "@jupyterlab" / "apputils-extension" / "themes.jupyterlab-settings", THEMES)
    places = {
        "JUPYTER_CONFIG_DIR": config,
        "JUPYTER_RUNTIME_DIR": config / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": settings,
        "JUPYTERLAB_WORKSPACES_DIR": config / "workspaces",
        "IPYTHONDIR": config / "ipython",
    }
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": TOKEN,
        "ServerApp.shutdown_no_activity_timeout": 120,
        "MappingKernelManager.cull_idle_timeout": 120,
        "MappingKernelManager.cull_interval": 30,
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    log = folder / "lab.log"
    with log.open("w") as output:
        environment = os.environ | {name: str(path) for name, path in places.items()}
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/api?token={TOKEN}", server, log)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(15)


def _write(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab ended at once: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"JupyterLab did not start within {START} s: {log.read_text()[-2000:]}")


def open_notebook(browser, address: str, name: str, *, dark: bool = False, width: int = 1300, height: int = 1000):
    """A page with a notebook whose cell has been run; collects what goes wrong in ``page.problems``."""
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )  # fmt: skip
    page.set_default_timeout(1000 * ANSWER)
    page.problems = []
    page.hosts = set()
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.hosts.add(request.url.split("/")[2].split(":")[0]))
    page.goto(f"{address}/doc/tree/{name}.ipynb?token={TOKEN}&reset", timeout=1000 * PAGE)
    # A cell that is run before the kernel is there is forgotten.
    page.wait_for_function("() => document.body.innerText.includes('| Idle')", timeout=1000 * PAGE)
    page.locator(".jp-Cell-inputArea .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    return page
