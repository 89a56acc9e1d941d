from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.plan import planned_runs
from linspector_allennlp.suite.settings import probe_config, representation
from linspector_allennlp.suite.suite import Suite
from linspector_allennlp.suite.suite_file import read_suite

__all__ = ["Job", "Suite", "planned_runs", "probe_config", "read_suite", "representation"]
