from linspector_allennlp.commands.probe_summary import ProbeSummary

__all__ = ["ProbeSummary"]
