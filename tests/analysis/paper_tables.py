"""The printed tables of the studies, as tidy tables."""

import json

import pandas


def linspector_scores(real_data):
    """Tables 9 and 10: `(probing, downstream)`."""
    tables = json.loads(
        (real_data / "paper/linspector_tables_9_10.json").read_text(encoding="utf-8")
    )
    return tuple(
        pandas.DataFrame(
            [
                {
                    "level": level,
                    "language": language,
                    "task": task,
                    "representation": representation,
                    "metric": "accuracy",
                    "value": value,
                    "majority": tables["baseline"][language].get(task)
                    if key == "probing"
                    else None,
                }
                for language, tasks in tables[key].items()
                for task, values in tasks.items()
                for representation, value in zip(tables["embeddings"], values)
            ]
        )
        for key, level in (("probing", "type_level"), ("downstream", "downstream"))
    )


def thesis_scores(real_data):
    """The F1 scores of 12 encoders in five languages: `(probing, downstream)`."""
    path = real_data / "thesis/thesis_f1_12encoders.json"
    languages = json.loads(path.read_text(encoding="utf-8"))
    return tuple(
        pandas.DataFrame(
            [
                {
                    "language": language,
                    "task": task,
                    "representation": encoder,
                    "metric": "macro_f1",
                    "value": value,
                }
                for language, table in languages.items()
                for encoder, row in table["rows"].items()
                for task, value in zip(table[f"{kind}_tasks"], row[f"{kind}_f1"])
            ]
        )
        for kind in ("probing", "downstream")
    )


def stability_scores(real_data):
    """The word content task by language, size and classifier, with the ranks that are printed."""
    path = real_data / "thesis/thesis_stability_wc.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    encoders = table.pop("encoders")
    return pandas.DataFrame(
        [
            {
                "language": place[:2],
                "task": "WC",
                "size": place[2:],
                "probe": probe,
                "representation": encoder,
                "metric": "macro_f1",
                "value": f1,
                "rank": rank,
            }
            for place, probes in table.items()
            for probe, rows in probes.items()
            for encoder, f1, rank in zip(encoders, rows["f1"], rows["rank"])
        ]
    )
