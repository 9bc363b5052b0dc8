"""fencepost: is a GPU command stream correctly synchronized, why not, and what would mend it?"""

from fencepost import _kernels
from fencepost._version import __version__

__all__ = ["__version__"]

_kernels.install()
