// libpq as it is, and eventfd, which Glibc's module leaves out: whoever waits for a server's answer
// must also hear that nobody wants the answer any more.
#include <libpq-fe.h>
#include <sys/eventfd.h>
