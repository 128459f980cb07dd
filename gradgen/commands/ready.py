"""Importing this makes a process ready to emit: the modules, and the rules read.

Processes that are started from one that has it need not read them each.
"""

import gradgen.commands.making
import gradgen.verify.drift  # noqa: F401
from gradgen.commands.emit import emit  # noqa: F401
from gradgen.frontend.source.stand_ins import stand_ins
from gradgen.rules.load import helpers, operation_of, operations

operations()
operation_of()
helpers()
stand_ins()
