// What TestPrograms needs of glibc 2.34 that Swift's Glibc module does not show, as it is there for
// _GNU_SOURCE only.
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
