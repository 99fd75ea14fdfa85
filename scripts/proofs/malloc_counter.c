/* Counts a process's heap allocations, for LD_PRELOAD on Linux with glibc:
 *     cc -shared -fPIC -O2 -o malloc_counter.so malloc_counter.c
 *     LD_PRELOAD=./malloc_counter.so planklab-benchmarks allocations
 * The program under test finds `planklab_allocation_count` by its name. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;

unsigned long planklab_allocation_count(void) { return atomic_load(&count); }

void *malloc(size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *block = result;
  return 0;
}
