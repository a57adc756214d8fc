#include "CBuild.h"

uint64_t shiftguard_commit(void) { return SHIFTGUARD_COMMIT; }
