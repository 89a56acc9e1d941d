from linspector_allennlp.representations.char_ngrams import CharNgramsEmbedder
from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.form_indexer import WordFormIndexer
from linspector_allennlp.representations.word_vectors import WordVectorsEmbedder

__all__ = ["CharNgramsEmbedder", "FormEmbedder", "WordFormIndexer", "WordVectorsEmbedder"]
