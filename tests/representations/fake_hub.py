"""The models of the Hugging Face hub as a folder has them: `folder/organisation/name/…`."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from linspector_allennlp.io.files import sha256

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def fill_cache(cache: Path, name: str, model: Path) -> Path:
    """Puts a model where a download would be; gives its folder."""
    repository = cache / f"models--{name.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs/main").write_text(COMMIT)
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    for file in model.iterdir():
        (snapshot / file.name).write_bytes(file.read_bytes())
    return snapshot


@contextmanager
def fake_hub(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A server with the models in a folder; gives its address and the list of what is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self, with_body: bool) -> None:
            asked.append(self.path)
            path = self.path.split("?")[0].strip("/")
            headers, body = {"X-Repo-Commit": COMMIT}, b""
            if path.startswith("api/models/"):
                parts = path.split("/")
                files = sorted(folder.joinpath(*parts[2:4]).glob("*"))
                found = bool(files)
                body = json.dumps(_description(files, is_tree="tree" in parts)).encode()
            else:
                file = folder / path.replace("/resolve/main/", "/")
                found = file.is_file()
                if found:
                    headers["ETag"], body = f'"{sha256(file)}"', file.read_bytes()
            self.send_response(200 if found else 404)
            if not found:
                headers["X-Error-Code"], body = "RepoNotFound", b""
            for key, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(key, value)
            self.end_headers()
            if with_body:
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def _description(files: list[Path], is_tree: bool) -> object:
    """Old versions of huggingface_hub ask for a model, new ones for the tree of its files."""
    if is_tree:
        return [
            {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "0"}
            for file in files
        ]
    return {"id": "m", "sha": COMMIT, "siblings": [{"rfilename": file.name} for file in files]}
