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


def polyint(p, m=1, k=None):
    if m != 1 or k is not None:
        raise NotImplementedError("polyint that goes on, or has constants")
    p = np.asarray(p)
    return np.concatenate((p / np.arange(len(p), 0, -1), np.zeros(1)))
