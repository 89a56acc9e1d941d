"""What is in an .svg, for tests of the pictures."""

from xml.etree import ElementTree

from linspector_allennlp.report.figures import save_figure

SVG = "{http://www.w3.org/2000/svg}"


def saved(figure, folder):
    path = folder / "picture.svg"
    save_figure(figure, path)
    return ElementTree.parse(path).getroot()


def texts(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


def groups(svg, start):
    """By id those elements whose id starts so."""
    found = [(element.get("id") or "", element) for element in svg.iter(f"{SVG}g")]
    assert len({name for name, _ in found if name}) == len([name for name, _ in found if name])
    return {name: element for name, element in found if name.startswith(start)}


def style(group):
    """Of its first line or text."""
    element = next(e for e in group.iter() if e.tag in (f"{SVG}path", f"{SVG}text", f"{SVG}use"))
    return dict(part.split(": ", 1) for part in element.get("style").split("; "))


def words(svg):
    """With their colours, in the order of their ids."""
    found = groups(svg, "word-")
    in_order = [found[f"word-{number}"] for number in range(1, len(found) + 1)]
    return [(group.find(f"{SVG}text").text, style(group)["fill"]) for group in in_order]
