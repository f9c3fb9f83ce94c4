/* Waiting for another thread without going to sleep: to be woken takes a rented processor longer than much of what it
   is woken for. */
#ifndef ROCWISE_WAITING_H
#define ROCWISE_WAITING_H

#include <stdint.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#define let_others_run() SwitchToThread()
#else
#include <sched.h>
#define let_others_run() sched_yield()
#endif

#if defined(_MSC_VER)
#include <intrin.h>
/* `volatile` orders what is around it on some processors only */
#define load_flag(flag) ((int)InterlockedCompareExchange((volatile LONG *)(flag), 0, 0))
#define store_flag(flag, value) ((void)InterlockedExchange((volatile LONG *)(flag), (value)))
#else
#define load_flag(flag) __atomic_load_n((flag), __ATOMIC_ACQUIRE)
#define store_flag(flag, value) __atomic_store_n((flag), (value), __ATOMIC_RELEASE)
#endif

/* Leave the core to its other thread for a moment. */
static inline void pause_core(void)
{
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(_MSC_VER)
    __yield();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb" ::: "memory");
#endif
}

static inline int64_t microseconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Wait until a flag is up, at most so long; whether it is. */
static int wait_for_flag(const int *flag, int64_t microseconds)
{
    int64_t begun = microseconds_now();
    while (!load_flag(flag)) {
        int64_t waited = microseconds_now() - begun;
        if (waited < 0 || waited >= microseconds) /* the clock may be set back */
            return load_flag(flag);
        for (int i = 0; i < 16; i++)
            pause_core();
        let_others_run(); /* returns at once where nobody waits for the processor */
    }
    return 1;
}

#endif
