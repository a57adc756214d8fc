// Swift has no constants that come from the command line of a build, so C passes one on.
#ifndef CBUILD_H
#define CBUILD_H

#include <stdint.h>

/// The first 12 hexadecimal digits of the commit that the programs are built from; 0: unknown.
uint64_t shiftguard_commit(void);

#endif
