"""A text as a notebook shows it: highlighted, and plain where there is no HTML."""

from __future__ import annotations


class Shown:
    """Python source that a notebook displays in colour."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return html(self.text)


def html(text: str) -> str:
    """Highlighted source, complete in itself: styles stand in the elements."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    style = "padding: 0.5em; overflow-x: auto; color: #222"
    formatter = HtmlFormatter(noclasses=True, style="friendly", cssstyles=style)
    return highlight(text, PythonLexer(), formatter)
