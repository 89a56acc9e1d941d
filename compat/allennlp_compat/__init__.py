"""
AllenNLP 2.10.1 with today's transformers, huggingface-hub and torchvision.

AllenNLP is archived, and some names that its modules import are gone, or do something else. A hook, which a
file in site-packages sets when Python starts, gives the modules in `CHANGES` other packages to import: views
of the real ones, in which a few names are replaced. Whoever else imports the same packages gets the real
ones. Without AllenNLP nothing is imported.
"""

import builtins
import sys
from importlib import import_module
from types import ModuleType

TRANSFORMERS, HUB = "allennlp_compat.for_transformers", "allennlp_compat.for_hub"
_BOXES = {"torchvision": {"ops": {"boxes": {}}}}

# By the module of AllenNLP the packages of which it gets views, and the names that are replaced in them: by
# that of the same name in one of our modules, or by a view.
CHANGES = {
    "allennlp.common.cached_transformers": {
        "transformers": {"AutoModel": TRANSFORMERS, "AutoTokenizer": TRANSFORMERS}
    },
    "allennlp.training.optimizers": {"transformers": {"AdamW": TRANSFORMERS}},
    "allennlp.common.push_to_hf": {
        "huggingface_hub": {"HfApi": HUB, "HfFolder": HUB, "Repository": HUB}
    },
    "allennlp.data.image_loader": {"torchvision": {}},
    "allennlp.modules.vision.grid_embedder": {"torchvision": {}},
    "allennlp.modules.vision.region_detector": _BOXES,
}


class View(ModuleType):
    """A package as one module sees it; imported when a name of it is first asked for."""

    def __init__(self, name, replaced):
        super().__init__(name)
        self.__dict__["_replaced"] = replaced

    def __getattr__(self, name):
        new = self._replaced.get(name)
        if isinstance(new, dict):
            return View(f"{self.__name__}.{name}", new)
        try:
            return getattr(import_module(new or self.__name__), name)
        except (ImportError, RuntimeError) as error:
            raise ImportError(
                f"AllenNLP needs {self.__name__} for this, and it cannot be imported ({error}). "
                "Install a version that fits the torch which is installed."
            ) from error


class Finder:
    """Finds the modules in `CHANGES` as the other finders do, and changes what they import."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in CHANGES:
            return None
        others = (finder for finder in sys.meta_path if finder is not Finder)
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next(filter(None, found), None)
        if spec is not None and spec.loader is not None:
            views = {package: View(package, new) for package, new in CHANGES[name].items()}
            spec.loader.exec_module = _run_with(views, spec.loader.exec_module)
        return spec


def _run_with(views, exec_module):
    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        package = name if fromlist else name.partition(".")[0]
        if level == 0 and package in views:
            return views[package]
        return builtins.__import__(name, globals, locals, fromlist, level)

    def run(module):
        # Python takes `__import__` from here, for this module alone.
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": import_}
        exec_module(module)

    return run


def install():
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
