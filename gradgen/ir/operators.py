"""Which operation an operator, a method or an attribute stands for.

One table each, read by the frontend in one direction and by the printer in the
other.
"""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr

# name of the gast node class -> operation
BINARY = {
    "Add": "numpy.add",
    "Sub": "numpy.subtract",
    "Mult": "numpy.multiply",
    "Div": "numpy.divide",
    "Pow": "numpy.power",
    "Mod": "numpy.remainder",
    "FloorDiv": "numpy.floor_divide",
    "MatMult": "numpy.matmul",
    "BitAnd": "numpy.bitwise_and",
    "BitOr": "numpy.bitwise_or",
    "BitXor": "numpy.bitwise_xor",
}
UNARY = {
    "USub": "numpy.negative",
    "UAdd": "numpy.positive",
    "Invert": "numpy.invert",
}
COMPARE = {
    "Lt": "numpy.less",
    "LtE": "numpy.less_equal",
    "Gt": "numpy.greater",
    "GtE": "numpy.greater_equal",
    "Eq": "numpy.equal",
    "NotEq": "numpy.not_equal",
}
# methods that take what the function takes after its first argument
METHODS = {
    name: f"numpy.{name}"
    for name in (
        "all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal "
        "dot max mean min prod ravel repeat reshape round squeeze std sum swapaxes "
        "take trace transpose var"
    ).split()
} | {"flatten": "numpy.ravel", "conjugate": "numpy.conj"}
# methods whose tuple argument may be written out: x.reshape(2, 3)
SPREAD_METHODS = {"reshape": "shape", "transpose": "axes"}
ATTRIBUTES = {
    "T": "numpy.transpose",
    "shape": "numpy.shape",
    "ndim": "numpy.ndim",
    "size": "numpy.size",
    "dtype": "dtype",
    "real": "numpy.real",
    "imag": "numpy.imag",
}


# functions of the math module, and builtins, by the operation they stand for
MATH = {
    name: f"numpy.{name}"
    for name in (
        "sqrt exp exp2 log log2 log10 log1p expm1 sin cos tan sinh cosh tanh hypot "
        "fabs floor ceil cbrt degrees radians"
    ).split()
} | {
    "asin": "numpy.arcsin",
    "acos": "numpy.arccos",
    "atan": "numpy.arctan",
    "atan2": "numpy.arctan2",
    "asinh": "numpy.arcsinh",
    "acosh": "numpy.arccosh",
    "atanh": "numpy.arctanh",
    "pow": "numpy.power",
}
# functions that are another one when they get so many arguments
FORMS = {("numpy.where", 1): "numpy.nonzero"}
BUILTINS = {
    "abs": "numpy.abs",
    "pow": "numpy.power",
    "len": "len",
    "float": "float",
}


def _operator(op: str):
    def build(*args: Expr) -> Apply:
        return Apply(op, args, spelling="operator")

    return build


add = _operator("numpy.add")
subtract = _operator("numpy.subtract")
multiply = _operator("numpy.multiply")
divide = _operator("numpy.divide")
negative = _operator("numpy.negative")
power = _operator("numpy.power")
matmul = _operator("numpy.matmul")


def call(op: str, *args: Expr, **kwargs: object) -> Apply:
    """An operation by name; plain keyword values become constants."""
    return Apply(op, args, tuple((name, lift(v)) for name, v in kwargs.items()))


def lift(value: object) -> Expr:
    """A Python value as an expression."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, tuple):
        return Apply("tuple", tuple(lift(item) for item in value))
    if isinstance(value, list):
        return Apply("list", tuple(lift(item) for item in value))
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return Apply("slice", tuple(lift(part) for part in parts))
    return Const(value)


def getitem(x: Expr, key: object) -> Apply:
    """x[key]."""
    return Apply("getitem", (x, lift(key)))
