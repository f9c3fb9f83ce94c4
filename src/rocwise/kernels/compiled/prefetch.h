/* A hint that memory is about to be written; compilers without one leave it out. */
#ifndef ROCWISE_PREFETCH_H
#define ROCWISE_PREFETCH_H

#if defined(__GNUC__) || defined(__clang__)
#define prefetch_write(address) __builtin_prefetch((address), 1)
#else
#define prefetch_write(address) ((void)(address))
#endif

#endif
