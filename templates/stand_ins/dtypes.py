"""Questions about dtypes, as questions about their letters."""

module = "numpy"


def isdtype(dtype, kind):
    letters = {
        "bool": "b",
        "signed integer": "i",
        "unsigned integer": "u",
        "integral": "iu",
        "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return dtype.kind in "".join([letters[one] for one in kinds])
