from linspector_allennlp.dataset_readers.control_task import ControlTaskReader
from linspector_allennlp.dataset_readers.dependency_tree import DependencyTreeReader
from linspector_allennlp.dataset_readers.named_entities import NamedEntitiesReader
from linspector_allennlp.dataset_readers.ngram_indexer import CharacterNgramsIndexer
from linspector_allennlp.dataset_readers.nli import NliReader
from linspector_allennlp.dataset_readers.paired_forms import PairedFormsReader
from linspector_allennlp.dataset_readers.paired_tokens import PairedTokensReader
from linspector_allennlp.dataset_readers.semantic_roles import SemanticRolesReader
from linspector_allennlp.dataset_readers.sentence_label import SentenceLabelReader
from linspector_allennlp.dataset_readers.single_form import SingleFormReader
from linspector_allennlp.dataset_readers.syntax import DependencyParsingReader, PosTaggingReader
from linspector_allennlp.dataset_readers.token_in_context import TokenInContextReader
from linspector_allennlp.dataset_readers.token_tags import TokenTagsReader
from linspector_allennlp.dataset_readers.tokenizer import WordsAndPunctuation

__all__ = [
    "CharacterNgramsIndexer",
    "ControlTaskReader",
    "DependencyParsingReader",
    "DependencyTreeReader",
    "NamedEntitiesReader",
    "NliReader",
    "PairedFormsReader",
    "PairedTokensReader",
    "PosTaggingReader",
    "SemanticRolesReader",
    "SentenceLabelReader",
    "SingleFormReader",
    "TokenInContextReader",
    "TokenTagsReader",
    "WordsAndPunctuation",
]
