#define _GNU_SOURCE  // sched_getaffinity
#include "CSystem.h"

#include <sched.h>
#include <unistd.h>

int csystem_core_count(void) {
#ifdef __linux__
    cpu_set_t cores;  // of 1024; where there are more, the call fails
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores) > 0 ? CPU_COUNT(&cores) : 1;
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
