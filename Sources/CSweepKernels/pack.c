#include "CSweepKernels.h"

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

// Four comparisons an instruction, and one more to gather their signs.
#define PACK(compare_vectors, compare)                                                   \
  for (uint32_t word = 0; word < word_count; word++) {                                   \
    uint64_t packed = 0;                                                                 \
    for (unsigned bit = 0; bit < 64; bit += 4) {                                         \
      const v128_t four = wasm_v128_load(values + (size_t)word * 64 + bit);              \
      packed |= (uint64_t)wasm_i32x4_bitmask(compare_vectors(four, thresholds)) << bit;  \
    }                                                                                    \
    bits[word] = packed;                                                                 \
  }
#define THRESHOLDS const v128_t thresholds = wasm_f32x4_splat(threshold);

#else

#define PACK(compare_vectors, compare)                                          \
  for (uint32_t word = 0; word < word_count; word++) {                          \
    const float *at = values + (size_t)word * 64;                               \
    uint64_t packed = 0;                                                        \
    for (unsigned bit = 0; bit < 64; bit++)                                     \
      packed |= (uint64_t)(at[bit] compare threshold) << bit;                   \
    bits[word] = packed;                                                        \
  }
#define THRESHOLDS

#endif

void sweep_pack(const float *values, uint32_t word_count, uint32_t comparison, float threshold,
                uint64_t *bits) {
  THRESHOLDS
  switch (comparison) {
    case SWEEP_GREATER: PACK(wasm_f32x4_gt, >) break;
    case SWEEP_GREATER_OR_EQUAL: PACK(wasm_f32x4_ge, >=) break;
    case SWEEP_LESS: PACK(wasm_f32x4_lt, <) break;
    default: PACK(wasm_f32x4_le, <=) break;
  }
}
