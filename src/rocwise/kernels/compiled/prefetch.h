/* Hints that memory is about to be written, or read; compilers without them leave them out. */
#ifndef ROCWISE_PREFETCH_H
#define ROCWISE_PREFETCH_H

#if defined(__GNUC__) || defined(__clang__)
#define prefetch_write(address) __builtin_prefetch((address), 1)
#define prefetch_read(address) __builtin_prefetch((address), 0)
#else
#define prefetch_write(address) ((void)(address))
#define prefetch_read(address) ((void)(address))
#endif

#endif
