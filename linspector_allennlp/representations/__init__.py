from linspector_allennlp.representations.archive_layer import ArchiveLayerEmbedder
from linspector_allennlp.representations.bpe_vectors import BpeVectorsEmbedder
from linspector_allennlp.representations.char_ngrams import CharNgramsEmbedder
from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.context_embedder import ContextEmbedder
from linspector_allennlp.representations.elmo_for_many_langs import ElmoForManyLangsEmbedder
from linspector_allennlp.representations.elmo_layer import ElmoLayerEmbedder
from linspector_allennlp.representations.fasttext_vectors import FastTextVectorsEmbedder
from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.form_indexer import WordFormIndexer
from linspector_allennlp.representations.module_layers import ModuleLayersEmbedder, module_layers
from linspector_allennlp.representations.precomputed import PrecomputedEmbedder
from linspector_allennlp.representations.random_bilstm import RandomBiLstmEmbedder
from linspector_allennlp.representations.random_vectors import RandomVectorsEmbedder
from linspector_allennlp.representations.transfer_embedder import TransferEmbedder
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from linspector_allennlp.representations.word_embedder import WordEmbedder
from linspector_allennlp.representations.word_vectors import WordVectorsEmbedder

__all__ = [
    "PrecomputedEmbedder",
    "ElmoForManyLangsEmbedder",
    "ElmoLayerEmbedder",
    "ArchiveLayerEmbedder",
    "BpeVectorsEmbedder",
    "CharNgramsEmbedder",
    "ComputedEmbedder",
    "ContextEmbedder",
    "FastTextVectorsEmbedder",
    "FormEmbedder",
    "ModuleLayersEmbedder",
    "RandomBiLstmEmbedder",
    "RandomVectorsEmbedder",
    "TransferEmbedder",
    "TransformerLayerEmbedder",
    "WordEmbedder",
    "WordFormIndexer",
    "WordVectorsEmbedder",
    "module_layers",
]
