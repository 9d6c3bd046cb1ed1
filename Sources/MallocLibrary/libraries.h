// glibc's settings of its allocator, which Swift's own module of glibc leaves out. Elsewhere there is no such header.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
