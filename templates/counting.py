"""Whole numbers of Python's math module."""

from gradgen.rules import integer, scalar, shape

module = "math"


@integer
def factorial(z, n):
    shape[z] = scalar(z)


@integer
def comb(z, n, k):
    shape[z] = scalar(z)


@integer
def perm(z, n, k=None):
    shape[z] = scalar(z)


@integer
def gcd(z, *integers):
    shape[z] = scalar(z)


@integer
def isqrt(z, n):
    shape[z] = scalar(z)
