#ifndef CSWEEPKERNELS_H
#define CSWEEPKERNELS_H

#include <stddef.h>
#include <stdint.h>

/// The number of configurations that are counted side by side.
#define SWEEP_LANES 8
/// The number of words that are processed at a time; no run crosses a multiple of this number.
#define SWEEP_BLOCK_WORDS 32
/// The longest debounce in frames.
#define SWEEP_MOST_FRAMES 1000

/// Flag of a word that begins a piece; no state is carried over into a piece.
#define SWEEP_BEGINS_PIECE 1
/// Flag of a piece that starts with the previous piece's last answer, not the empty answer.
#define SWEEP_CONTINUES 2
/// Flag of a word whose first frame sets the answer at once.
#define SWEEP_STARTS_MID 4
/// Flag of a word after which the answer becomes empty, which counts as a change.
#define SWEEP_DROPS 8

/// A run of words whose 64 frames all count for one row.
typedef struct {
  uint32_t first_word, word_count, row;
} sweep_run;

/// Frames of one word that count for a row, each 1 << shift times.
typedef struct {
  uint64_t mask;
  uint32_t word, row, shift;
} sweep_masked;

/// A range of frames that is searched for the first answer with a label.
typedef struct {
  uint64_t first_mask, last_mask;
  uint32_t first_word, last_word, label;
} sweep_event;

/// The part of one stream of one sequence that is the same for all configurations.
typedef struct {
  const uint8_t *flags;         // one per word
  const uint64_t *valid;        // one per word: bits that stand for frames
  const uint64_t *transitions;  // one per word: bits whose change from the previous frame counts
  const sweep_run *runs;        // by word
  const sweep_masked *masked;   // by word
  const sweep_event *events;    // by word, neither overlapping nor nested
  uint32_t word_count, row_count, run_count, masked_count, event_count;
} sweep_sequence;

/// A decision list; `labels` and `ends` have one element per rule.
typedef struct {
  const uint8_t *labels;   // 0...5 with three planes, 0...2 with two
  const uint32_t *ends;    // where the rule's predicates end
  uint32_t rule_count, predicate_count;
} sweep_rules;

/// The number of sums per row.
///
/// With three planes, the sums count frames by planes 0, 1, 2, 0 and 1, 0 and 2; with two planes,
/// by planes 0 and 1.
static inline uint32_t sweep_sum_count(uint32_t planes) { return planes == 3 ? 5 : 2; }

/// The size in bytes of a call's working memory, which must be aligned to 64 bytes.
size_t sweep_scratch_size(uint32_t frames_count);

/// Counts eight configurations per debounce length over one stream of one sequence.
///
/// `bits` has SWEEP_LANES pointers per predicate, each to `word_count` words; where `is_shared` is
/// set, all lanes of the predicate read the first pointer's words. `frames` holds `frames_count`
/// debounce lengths, 1 to SWEEP_MOST_FRAMES. `counts` receives [frames_count][row_count * sums +
/// 1][SWEEP_LANES] numbers; the last number of the middle index counts transitions. `hits` receives
/// [frames_count][event_count][SWEEP_LANES] bit positions in the sequence, UINT32_MAX if the label
/// never occurred.
void sweep_count(const sweep_sequence *sequence, const sweep_rules *rules, uint32_t planes,
                 const uint64_t *const *bits, const uint8_t *is_shared, const uint32_t *frames,
                 uint32_t frames_count, void *scratch, uint64_t *counts, uint32_t *hits);

/// How `sweep_pack` compares a value with the threshold.
enum { SWEEP_GREATER, SWEEP_GREATER_OR_EQUAL, SWEEP_LESS, SWEEP_LESS_OR_EQUAL };

/// Stores the results of comparisons, one bit per value: bit b of word w stands for values[64 w +
/// b].
///
/// `values` holds 64 numbers per word; a comparison with NaN is false.
void sweep_pack(const float *values, uint32_t word_count, uint32_t comparison, float threshold,
                uint64_t *bits);

/// The name of the code path that this machine uses: avx512, avx2 or baseline.
const char *sweep_path(void);

/// Selects a code path by its name from now on; returns 0 if this machine lacks it.
int sweep_force_path(const char *name);

#endif
