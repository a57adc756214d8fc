// What SystemCalls needs of glibc's allocator: `malloc_trim`, which Swift's Glibc lacks.
#include <malloc.h>
