"""Lines in the format of CoNLL-2009."""


def block(*words, heads=None):
    """A sentence: of each word its form, its sense (`_` of no predicate), and its roles."""
    lines = []
    for number, (form, sense, *roles) in enumerate(words, 1):
        head = str(heads[number - 1]) if heads else "_"
        flag = "_" if sense in ("_", "-") else "Y"
        columns = [
            number,
            form,
            "l",
            "l",
            "N",
            "N",
            "_",
            "_",
            head,
            head,
            "dep",
            "dep",
            flag,
            sense,
        ]
        lines.append("\t".join(map(str, [*columns, *roles])))
    return "".join(f"{line}\n" for line in [*lines, ""])
