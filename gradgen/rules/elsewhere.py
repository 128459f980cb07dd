"""What other libraries call by another name, for the advice of refusals.

No operation is recognized by these names: what a user has written is refused, and the
message says how NumPy writes it.
"""

from __future__ import annotations

# a function or a method of another library's -> NumPy's, of x
FUNCTIONS = {
    "relu": "np.maximum({}, 0)",
    "sigmoid": "1 / (1 + np.exp(-{}))",
    "softplus": "np.logaddexp(0, {})",
    "silu": "{0} / (1 + np.exp(-{0}))",
    "softmax": "scipy.special.softmax({}, axis=-1)",
    "log_softmax": "scipy.special.log_softmax({}, axis=-1)",
    "logsumexp": "scipy.special.logsumexp({})",
    "expit": "scipy.special.expit({})",
    "rsqrt": "1 / np.sqrt({})",
    "pow": "{} ** p",
    "view": "{}.reshape(-1)",
    "unsqueeze": "np.expand_dims({}, axis)",
    "permute": "{}.transpose(1, 0)",
    "cat": "np.concatenate([{}, y])",
    "clamp": "np.clip({}, low, high)",
    "detach": "gradgen.stop_gradient({})",
    "numpy": "{}",
    "cpu": "{}",
    "cuda": "{}",
    "double": "{}",
    "float": "{}",
    "tensor": "np.array({})",
}
# a keyword of another library's -> NumPy's
KEYWORDS = {"dim": "axis", "keepdim": "keepdims"}


def numpy_for(name: str, operand: str = "x") -> str:
    """How NumPy writes what is called so elsewhere; "" where nothing is known."""
    return FUNCTIONS.get(name, "").format(operand)
