"""A flag that another thread raises, waited for without going to sleep."""

from libc.stdint cimport int64_t


cdef extern from "waiting.h" nogil:
    void store_flag(int *flag, int value)
    bint wait_for_flag(const int *flag, int64_t microseconds)


cdef class Flag:
    """Compiled twin of `teams.PlainFlag`."""

    cdef int up

    def set(self):
        """Let whoever waits go on."""
        store_flag(&self.up, 1)

    def clear(self):
        """Let it be waited for again."""
        store_flag(&self.up, 0)

    def wait(self, int64_t microseconds, int64_t longer=0):
        """Whether it is set within so many microseconds; if so, wait `longer` yet."""
        cdef int never = 0
        cdef bint is_set
        with nogil:
            is_set = wait_for_flag(&self.up, microseconds)
            if is_set and longer > 0:
                wait_for_flag(&never, longer)
        return is_set
