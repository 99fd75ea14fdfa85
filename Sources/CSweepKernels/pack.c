#include "CSweepKernels.h"

// Packs `width` comparisons at a time; all comparisons are ordered, that is, false for NaN.
#define PACK_LOOP(width, signs)                           \
  for (uint32_t word = 0; word < word_count; word++) {    \
    const float *at = values + (size_t)word * 64;         \
    uint64_t packed = 0;                                  \
    for (unsigned bit = 0; bit < 64; bit += width)        \
      packed |= (uint64_t)(uint32_t)(signs) << bit;       \
    bits[word] = packed;                                  \
  }
#define PACK_FUNCTION(name, width, DECLARE, SIGNS)                                        \
  static void name(const float *values, uint32_t word_count, uint32_t comparison,         \
                   float threshold, uint64_t *bits) {                                     \
    DECLARE                                                                               \
    switch (comparison) {                                                                 \
      case SWEEP_GREATER: PACK_LOOP(width, SIGNS(gt, >, _CMP_GT_OQ)) break;               \
      case SWEEP_GREATER_OR_EQUAL: PACK_LOOP(width, SIGNS(ge, >=, _CMP_GE_OQ)) break;     \
      case SWEEP_LESS: PACK_LOOP(width, SIGNS(lt, <, _CMP_LT_OQ)) break;                  \
      default: PACK_LOOP(width, SIGNS(le, <=, _CMP_LE_OQ)) break;                         \
    }                                                                                     \
  }

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

#define SIGNS_WASM(order, compare, predicate) \
  wasm_i32x4_bitmask(wasm_f32x4_##order(wasm_v128_load(at + bit), thresholds))
PACK_FUNCTION(pack_baseline, 4, const v128_t thresholds = wasm_f32x4_splat(threshold);, SIGNS_WASM)

#elif defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define SIGNS_128(order, compare, predicate) \
  _mm_movemask_ps(_mm_cmp##order##_ps(_mm_loadu_ps(at + bit), thresholds))
#define SIGNS_256(order, compare, predicate) \
  _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(at + bit), thresholds, predicate))
#define SIGNS_512(order, compare, predicate) \
  _mm512_cmp_ps_mask(_mm512_loadu_ps(at + bit), thresholds, predicate)
PACK_FUNCTION(pack_baseline, 4, const __m128 thresholds = _mm_set1_ps(threshold);, SIGNS_128)
__attribute__((target("avx2")))
PACK_FUNCTION(pack_avx2, 8, const __m256 thresholds = _mm256_set1_ps(threshold);, SIGNS_256)
__attribute__((target("avx512f")))
PACK_FUNCTION(pack_avx512, 16, const __m512 thresholds = _mm512_set1_ps(threshold);, SIGNS_512)

#else

#define SIGNS_PLAIN(order, compare, predicate) (at[bit] compare threshold)
PACK_FUNCTION(pack_baseline, 1, , SIGNS_PLAIN)

#endif

void sweep_pack(const float *values, uint32_t word_count, uint32_t comparison, float threshold,
                uint64_t *bits) {
#if defined(__x86_64__)
  const char *path = sweep_path();
  if (strcmp(path, "avx512") == 0)
    return pack_avx512(values, word_count, comparison, threshold, bits);
  if (strcmp(path, "avx2") == 0)
    return pack_avx2(values, word_count, comparison, threshold, bits);
#endif
  pack_baseline(values, word_count, comparison, threshold, bits);
}
