"""A number that is rounded to a whole one by way of a Decimal."""

module = "decimal"


class Decimal:
    def __init__(self, value="0"):
        self.number = float(value) if isinstance(value, str) else value

    def quantize(self, exp, rounding="ROUND_HALF_EVEN"):
        if exp.number != 1:
            raise NotImplementedError("a Decimal that is rounded to other than 1")
        whole = int(self.number)
        over = abs(self.number - whole)
        if rounding == "ROUND_HALF_UP":
            away = over >= 0.5
        elif rounding == "ROUND_HALF_DOWN":
            away = over > 0.5
        elif rounding == "ROUND_UP":
            away = over > 0
        elif rounding == "ROUND_DOWN":
            away = False
        else:
            raise NotImplementedError("a Decimal that is rounded in another way")
        if away:
            whole = whole + 1 if self.number > 0 else whole - 1
        return Decimal(whole)

    def __int__(self):
        return int(self.number)

    def __float__(self):
        return float(self.number)
