// What SystemCalls needs of glibc's allocator: `malloc_trim` and `mallopt`, which Swift's Glibc lacks.
#include <malloc.h>
