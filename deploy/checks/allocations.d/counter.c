// Preloaded into a program, counts its allocations and the tasks of Swift that it creates. The
// counts are in the file that COUNTS names, where other programs can read them at any time: two
// unsigned numbers of 64 bits, of allocations and of tasks.
//
// A reallocation counts as an allocation. Tasks are counted only in a program that loads Swift's
// concurrency library as a shared one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The functions of glibc by their other names: `dlsym` itself allocates.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

struct counts {
  _Atomic uint64_t allocations, tasks;
};

// What is counted before the file is mapped.
static struct counts early;
static struct counts *_Atomic counts = &early;

static void allocated(void) { atomic_fetch_add(&atomic_load(&counts)->allocations, 1); }

__attribute__((constructor)) static void map_counts(void) {
  const char *path = getenv("COUNTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  void *mapped = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof(struct counts)) == 0)
    mapped = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) {
    perror("COUNTS");
    _exit(70);
  }
  close(file);
  atomic_store(&counts, mapped);
}

void *malloc(size_t size) {
  allocated();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocated();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocated();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  allocated();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocated();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
  allocated();
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

// The symbol that would be called without this library.
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "%s: %s\n", name, dlerror());
    _exit(70);
  }
  return found;
}

// Swift's calling convention is that of C for these parameters and results.
struct task {
  void *task, *context;
};
typedef struct task create(size_t, void *, const void *, void *, void *);
typedef void begin(void *, void *, const void *, void *, void *, void *);

// `Task`, `Task.detached`, `Task.immediate`, and tasks of groups.
struct task swift_task_create(
    size_t flags, void *options, const void *type, void *entry, void *context) {
  static create *_Atomic original;
  if (!atomic_load(&original)) atomic_store(&original, (create *)next("swift_task_create"));
  atomic_fetch_add(&atomic_load(&counts)->tasks, 1);
  return atomic_load(&original)(flags, options, type, entry, context);
}

// `async let`
void swift_asyncLet_begin(
    void *let, void *options, const void *type, void *entry, void *context, void *result) {
  static begin *_Atomic original;
  if (!atomic_load(&original)) atomic_store(&original, (begin *)next("swift_asyncLet_begin"));
  atomic_fetch_add(&atomic_load(&counts)->tasks, 1);
  atomic_load(&original)(let, options, type, entry, context, result);
}
