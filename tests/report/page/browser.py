"""A headless Chromium, spoken to over its pipe of the DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from tests.conftest import ROOT

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
]  # fmt: skip
SECONDS = 120
MESSAGES = ("error", "warning", "trace")
"""The last is how Plotly warns."""
CROWDED = "Too many auto-margin redraws."
"""What Plotly says where names are so long that they leave a chart no room, whatever is in them."""


def axe_core():
    """The script that `make browser` puts into the cache; nothing where it is not."""
    version, _ = (ROOT / "scripts/axe-core.txt").read_text().split()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    path = Path(cache, "linspector_allennlp", f"axe-core-{version}.min.js")
    return path.read_text(encoding="utf-8") if path.exists() else None


def chromium():
    """The program; nothing where there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Browser:
    """One page; `messages` are errors of its console, `requests` the addresses that it asked for."""

    def __init__(self, profile):
        to_read, their_write = os.pipe()
        their_read, to_write = os.pipe()

        def give_pipes():  # Chromium reads from 3 and writes to 4.
            read, write = os.dup(their_read), os.dup(their_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        arguments = [chromium(), *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            arguments, preexec_fn=give_pipes, close_fds=False, stderr=subprocess.DEVNULL
        )
        os.close(their_read)
        os.close(their_write)
        self._input, self._output = os.fdopen(to_write, "wb"), os.fdopen(to_read, "rb")
        self._number, self._rest = 0, b""
        self.messages, self.requests, self._events = [], [], []
        self._session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._input.write(json.dumps(message).encode() + b"\0")
        self._input.flush()
        while True:
            answer = self._read()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def open(self, address, width=1200, height=900, dark=False):
        self.messages.clear()
        self.requests.clear()
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=address)
        self.wait("document.documentElement?.dataset.drawn === 'all'")

    def resize(self, width, height=900):
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def run(self, script):
        found = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def wait(self, condition):
        end = time.monotonic() + SECONDS
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition}; {self.messages}")
            time.sleep(0.1)

    def press(self, key, code=None, text=None):
        event = {"key": key, "code": code or key}
        if text:
            event["text"] = text
        if key == "Enter":
            event |= {"windowsVirtualKeyCode": 13, "text": "\r"}
        elif key == " ":
            event |= {"code": "Space", "windowsVirtualKeyCode": 32, "text": " "}
        elif key == "Tab":
            event["windowsVirtualKeyCode"] = 9
        self.send("Input.dispatchKeyEvent", type="keyDown", **event)
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def screenshot(self, path, whole=True):
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        self._session = None
        try:
            self.send("Browser.close")
        finally:
            self.process.wait(timeout=30)
            self._input.close()
            self._output.close()

    def _read(self):
        while b"\0" not in self._rest:
            part = os.read(self._output.fileno(), 1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended.")
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.messages.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in MESSAGES:
            if not any(each.get("value") == CROWDED for each in params["args"]):
                self.messages.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.messages.append(str(params["entry"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
