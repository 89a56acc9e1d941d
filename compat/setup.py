"""The files that Python reads at its start lie beside the package, where setuptools puts none by itself."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithStart(build_py):
    # Python up to 3.14 reads .pth; from 3.15 on it reads .start (PEP 829).
    START = ("allennlp_compat.pth", "allennlp_compat.start")

    def run(self):
        super().run()
        for name in self.START:
            self.copy_file(name, str(Path(self.build_lib, name)))

    def get_outputs(self, include_bytecode=True):
        outputs = super().get_outputs(include_bytecode)
        return [*outputs, *(str(Path(self.build_lib, name)) for name in self.START)]


setup(cmdclass={"build_py": BuildWithStart})
