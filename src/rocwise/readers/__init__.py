"""Reader studies: several readers, several cases (MRMC); comparison and planning."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
