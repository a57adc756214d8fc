// What HTTPServing needs of libevent 2.1. Plain functions all of them; nothing here had to be wrapped.

// Before libevent's headers: these define _GNU_SOURCE, and glibc's types must look the same here as
// in Swift's Glibc module.
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <event2/event.h>
