"""A layer of Thinc whose forward and backward pass are one emitted callback.

A text of --style callback returns the value and a function from its gradient to those
of the arguments, which is what a layer of Thinc is made of.

python -m examples.use.thinc_layer
"""

import numpy as np
from thinc.api import Adam, Model, Softmax, chain, fix_random_seed, glorot_uniform_init

from generated.gated_layer_callback import vjp_gated_layer


def Gated(outputs, inputs):
    """A layer of `outputs` gated tanh units."""
    return Model("gated", forward, init=init, dims={"nO": outputs, "nI": inputs},
                 params={"W": None, "b": None, "G": None})  # fmt: skip


def init(model, X=None, Y=None):
    shape = model.get_dim("nI"), model.get_dim("nO")
    for name in ("W", "G"):
        model.set_param(name, glorot_uniform_init(model.ops, shape))
    model.set_param("b", model.ops.alloc1f(shape[1]))


def forward(model, X, is_train):
    params = [model.get_param(name) for name in ("W", "b", "G")]
    Y, backprop = vjp_gated_layer(X, *params)

    def finish(dY):
        dX, dW, db, dG = backprop(dY)
        for name, gradient in (("W", dW), ("b", db), ("G", dG)):
            model.inc_grad(name, gradient)
        return dX

    return Y, finish


def spirals(count=200, seed=0):
    """Points of two spirals, and which of the two each is on, one-hot."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, count)
    turn = 2.5 * np.sqrt(rng.random(count)) + 0.3
    angle = 2 * turn + np.pi * label
    X = np.stack([turn * np.cos(angle), turn * np.sin(angle)], axis=1)
    X += 0.03 * rng.standard_normal(X.shape)
    return X.astype("float32"), np.eye(2, dtype="float32")[label]


def train(steps=300):
    """The trained model, and its losses step by step."""
    fix_random_seed(0)
    X, Y = spirals()
    model = chain(Gated(32, 2), Gated(32, 32), Softmax(2, 32))
    model.initialize(X=X, Y=Y)
    optimizer, losses = Adam(0.01), []
    for _ in range(steps):
        guess, backprop = model.begin_update(X)
        losses.append(float(-np.mean(np.sum(Y * np.log(guess + 1e-8), axis=1))))
        backprop((guess - Y) / len(X))
        model.finish_update(optimizer)
    return model, losses


if __name__ == "__main__":
    model, losses = train()
    for step in (0, 50, 100, 200, 299):
        print(f"step {step:3}: loss {losses[step]:.4f}")
