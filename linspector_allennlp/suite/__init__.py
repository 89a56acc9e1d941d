from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import probe_config, representation

__all__ = ["Job", "probe_config", "representation"]
