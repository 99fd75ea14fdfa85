#include "CSweepKernels.h"

#include <string.h>

// The compiler splits a vector into vectors that the target has. Swift aligns the memory to at
// least 16 bytes.
typedef uint64_t lanes __attribute__((vector_size(8 * SWEEP_LANES), aligned(16)));

enum { HISTORY = 16, LEVELS = 10, ALL_LANES = (1 << SWEEP_LANES) - 1 };

typedef struct {
  lanes carry[3];
  uint32_t event, pending;
} progress;

typedef struct {
  lanes raw[3][SWEEP_BLOCK_WORDS];
  lanes state[3][SWEEP_BLOCK_WORDS];
  lanes level[LEVELS][HISTORY + SWEEP_BLOCK_WORDS];
  lanes last[3];
  progress progress[];
} scratch_space;

// In a run of N equal frames, N - 1 frames equal their predecessors. A level covers 2^j of them,
// and the same level, shifted, covers the rest.
typedef struct {
  uint32_t level, whole, part;
} step_of_length;

static step_of_length step_for(uint32_t frames) {
  if (frames <= 1) return (step_of_length){0, 0, 0};
  const uint32_t needed = frames - 1, level = 31 - (uint32_t)__builtin_clz(needed);
  const uint32_t shift = needed - (1u << level);
  return (step_of_length){level, shift >> 6, shift & 63};
}

static uint32_t level_count(const uint32_t *frames, uint32_t count) {
  uint32_t levels = 1;
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t level = step_for(frames[n]).level;
    if (level + 1 > levels) levels = level + 1;
  }
  return levels;
}

// Clears only what is read before it is written: clearing all 40 kB of scratch space would take
// longer than counting a short sequence.
static void start(const sweep_sequence *s, uint32_t frames_count, uint32_t levels, size_t stride,
                  scratch_space *space, lanes *counts, uint32_t *hits) {
  for (uint32_t j = 0; j < levels; j++) memset(space->level[j], 0, HISTORY * sizeof(lanes));
  memset(space->last, 0, sizeof space->last);
  memset(space->progress, 0, frames_count * sizeof(progress));
  for (uint32_t n = 0; n < frames_count; n++) space->progress[n].pending = ALL_LANES;
  memset(counts, 0, stride * frames_count * sizeof(lanes));
  memset(hits, 0xff, (size_t)frames_count * s->event_count * SWEEP_LANES * sizeof(uint32_t));
}

// Vectors are passed only to functions that are always inlined, so no calling convention matters.
#pragma clang diagnostic ignored "-Wpsabi"

#define SWEEP_NAME baseline
#include "sweep_body.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt"))), \
                             apply_to = function)
#define SWEEP_NAME avx2
#include "sweep_body.h"
#pragma clang attribute pop
#pragma clang attribute push(                                                          \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,popcnt,bmi,bmi2,lzcnt"))), \
    apply_to = function)
#define SWEEP_NAME avx512
#include "sweep_body.h"
#pragma clang attribute pop
#endif

typedef void (*kernel)(const sweep_sequence *, const sweep_rules *, uint32_t,
                       const uint64_t *const *, const uint8_t *, const uint32_t *, uint32_t,
                       scratch_space *, lanes *, uint32_t *);

enum { UNKNOWN = -1, BASELINE, AVX2, AVX512 };
static int chosen_path = UNKNOWN;

static int best_path(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return AVX512;
  if (__builtin_cpu_supports("avx2")) return AVX2;
#endif
  return BASELINE;
}

static int current_path(void) {
  int path = __atomic_load_n(&chosen_path, __ATOMIC_RELAXED);
  if (path == UNKNOWN) {
    path = best_path();
    __atomic_store_n(&chosen_path, path, __ATOMIC_RELAXED);
  }
  return path;
}

static kernel kernel_of(int path) {
#if defined(__x86_64__)
  if (path == AVX512) return sweep_avx512;
  if (path == AVX2) return sweep_avx2;
#endif
  (void)path;
  return sweep_baseline;
}

static const char *const names[] = {"baseline", "avx2", "avx512"};

const char *sweep_path(void) { return names[current_path()]; }

int sweep_force_path(const char *name) {
  for (int path = BASELINE; path <= best_path(); path++) {
    if (strcmp(names[path], name) != 0) continue;
    __atomic_store_n(&chosen_path, path, __ATOMIC_RELAXED);
    return 1;
  }
  return 0;
}

size_t sweep_scratch_size(uint32_t frames_count) {
  return sizeof(scratch_space) + frames_count * sizeof(progress);
}

void sweep_count(const sweep_sequence *sequence, const sweep_rules *rules, uint32_t planes,
                 const uint64_t *const *bits, const uint8_t *is_shared, const uint32_t *frames,
                 uint32_t frames_count, void *scratch, uint64_t *counts, uint32_t *hits) {
  kernel_of(current_path())(sequence, rules, planes, bits, is_shared, frames, frames_count,
                            (scratch_space *)scratch, (lanes *)counts, hits);
}
