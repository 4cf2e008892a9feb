"""The one place where torch is imported. What differentiates or trains takes it from here.

Importing costs about a second and 180 MB, so nothing imports this module before it is needed. The
import lock of this module makes a first import from several threads happen once. One thread per
operation: the lab's matrices are small, and a second thread slows everyone else.

Where torch is not installed, importing this module raises `Refused`; the next import tries again.
"""

from core.limits import Refused

try:
    import torch
except (ImportError, OSError) as error:
    raise Refused("torch") from error

torch.set_num_threads(1)

__all__ = ["torch"]
