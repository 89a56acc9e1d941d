"""The tasks that need no annotation, but perhaps to choose their words."""

from linspector_allennlp.tasks.sentences.length_tasks import (
    eos_bins,
    make_eos,
    make_sentlen,
    sentlen_bins,
)
from linspector_allennlp.tasks.sentences.order_tasks import (
    SWITCHES,
    make_bishift,
    make_wo,
    switch,
    wo_least_length,
    wo_noun,
    wo_zone,
)
from linspector_allennlp.tasks.sentences.sentence_items import SentenceTask
from linspector_allennlp.tasks.sentences.spelling import common_letters, make_spelling
from linspector_allennlp.tasks.sentences.word_tasks import make_wc, wc_words

SURFACE_TASKS: dict[str, SentenceTask] = {
    "SentLen": SentenceTask(
        make_sentlen,
        takes_text=True,
        settings=("sentlen_bins",),
        facts=lambda sentences, given: {"sentlen_bins": sentlen_bins(given).labels},
    ),
    "WC": SentenceTask(
        make_wc,
        takes_text=True,
        settings=("wc_words", "wc_count", "wc_skip"),
        facts=lambda sentences, given: {"wc_words": wc_words(sentences, given)},
    ),
    "BiShift": SentenceTask(
        make_bishift,
        takes_text=True,
        settings=SWITCHES,
        facts=lambda sentences, given: {name: switch(given, name) for name in SWITCHES},
    ),
    "WO": SentenceTask(
        make_wo,
        takes_text=True,
        settings=("wo_noun", "wo_zone", "wo_least_length"),
        facts=lambda sentences, given: {
            "wo_noun": wo_noun(sentences, given),
            "wo_zone": wo_zone(given),
            "wo_least_length": wo_least_length(given),
        },
    ),
    "EOS": SentenceTask(
        make_eos,
        takes_text=True,
        settings=("eos_bins",),
        facts=lambda sentences, given: {"eos_bins": eos_bins(given).labels},
    ),
    "Spelling": SentenceTask(
        make_spelling,
        takes_text=True,
        settings=("spelling_least_letters",),
        facts=lambda sentences, given: {"letters": "".join(common_letters(sentences, given))},
    ),
}
