// This file is compiled once per target; SWEEP_NAME distinguishes the copies.

#define SWEEP_JOIN2(a, b) a##_##b
#define SWEEP_JOIN(a, b) SWEEP_JOIN2(a, b)
#define NAMED(x) SWEEP_JOIN(x, SWEEP_NAME)

// Clang before version 20 has no builtin for this.
static inline __attribute__((always_inline)) lanes NAMED(count_bits)(lanes x) {
#if defined(__has_builtin) && __has_builtin(__builtin_elementwise_popcount) && \
    !defined(SWEEP_WITHOUT_BUILTINS)
  return __builtin_elementwise_popcount(x);
#else
  x -= (x >> 1) & 0x5555555555555555ull;
  x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
  x += x >> 8;
  x += x >> 16;
  return (x + (x >> 32)) & 0x7f;
#endif
}

// Shifts `now` up by `r` < 64 bits and fills it from the previous word.
static inline __attribute__((always_inline)) lanes NAMED(moved)(lanes now, lanes before,
                                                                unsigned r) {
  return r == 0 ? now : (now << r) | (before >> (64 - r));
}

static inline __attribute__((always_inline)) void NAMED(classify)(
    const int planes, const sweep_rules *rules, const uint64_t *const *bits,
    const uint8_t *is_shared, uint32_t word, lanes plane[3]) {
  lanes open = ~(lanes){0};
  plane[0] = plane[1] = plane[2] = (lanes){0};
  uint32_t p = 0;
  for (uint32_t r = 0; r < rules->rule_count; r++) {
    lanes hit = open;
    for (; p < rules->ends[r]; p++) {
      const uint64_t *const *row = bits + (size_t)p * SWEEP_LANES;
      if (is_shared[p]) {
        hit &= (lanes){0} + row[0][word];
      } else {
        hit &= (lanes){row[0][word], row[1][word], row[2][word], row[3][word],
                       row[4][word], row[5][word], row[6][word], row[7][word]};
      }
    }
    open &= ~hit;
    const unsigned label = rules->labels[r];
    for (int k = 0; k < planes; k++)
      if (label >> k & 1) plane[k] |= hit;
  }
}

static inline __attribute__((always_inline)) void NAMED(classify_block)(
    const int planes, const sweep_sequence *s, const sweep_rules *rules,
    const uint64_t *const *bits, const uint8_t *is_shared, uint32_t begin, uint32_t count,
    scratch_space *space) {
  for (uint32_t i = 0; i < count; i++) {
    lanes plane[3];
    NAMED(classify)(planes, rules, bits, is_shared, begin + i, plane);
    lanes differs = {0};
    for (int k = 0; k < planes; k++) {
      differs |= ((plane[k] << 1) | space->last[k]) ^ plane[k];
      space->last[k] = plane[k] >> 63;
      space->raw[k][i] = plane[k];
    }
    if (s->flags[begin + i] & SWEEP_BEGINS_PIECE) differs |= (lanes){0} + 1;
    space->level[0][HISTORY + i] = ~differs;
  }
}

// Each level covers runs of equal labels that are twice as long as those of the level before.
static inline __attribute__((always_inline)) void NAMED(raise_levels)(
    uint32_t levels, uint32_t count, scratch_space *space) {
  for (uint32_t j = 1; j < levels; j++) {
    const unsigned shift = 1u << (j - 1), whole = shift >> 6, part = shift & 63;
    const lanes *below = space->level[j - 1] + HISTORY - whole;
    for (uint32_t i = 0; i < count; i++)
      space->level[j][HISTORY + i] =
          space->level[j - 1][HISTORY + i] & NAMED(moved)(below[i], (below - 1)[i], part);
  }
}

// Computes the debounced answers of a block and returns the number of their transitions.
static inline __attribute__((always_inline)) lanes NAMED(settle)(
    const int planes, const sweep_sequence *s, uint32_t frames, uint32_t begin, uint32_t count,
    lanes carry[3], scratch_space *space) {
  const step_of_length step = step_for(frames);
  const lanes *level = space->level[step.level] + HISTORY;
  const lanes *older = level - step.whole;
  lanes transitions = {0};
  for (uint32_t i = 0; i < count; i++) {
    const unsigned flags = s->flags[begin + i];
    lanes set = (lanes){0} + s->valid[begin + i];
    if (frames > 1) set &= level[i] & NAMED(moved)(older[i], (older - 1)[i], step.part);
    if (flags & SWEEP_STARTS_MID) set |= (lanes){0} + 1;
    lanes changes = {0}, any = {0};
    for (int k = 0; k < planes; k++) {
      lanes before = flags & SWEEP_BEGINS_PIECE && !(flags & SWEEP_CONTINUES) ? (lanes){0}
                                                                              : carry[k];
      lanes in = flags & SWEEP_BEGINS_PIECE ? (lanes){0} : carry[k];
      // A latch is the carry chain of an addition: two one bits set it, two zero bits clear it.
      lanes a = set & space->raw[k][i], b = space->raw[k][i] | ~set;
      lanes state = a | (b & ~(a + b + in));
      space->state[k][i] = state;
      changes |= ((state << 1) | before) ^ state;
      any |= state;
      carry[k] = state >> 63;
    }
    transitions += NAMED(count_bits)(changes & ((lanes){0} + s->transitions[begin + i]));
    if (flags & SWEEP_DROPS) transitions += any >> 63;
  }
  return transitions;
}

static inline __attribute__((always_inline)) void NAMED(add_word)(
    const int planes, lanes p0, lanes p1, lanes p2, unsigned shift, lanes *sums) {
  sums[0] += NAMED(count_bits)(p0) << shift;
  sums[1] += NAMED(count_bits)(p1) << shift;
  if (planes == 3) {
    sums[2] += NAMED(count_bits)(p2) << shift;
    sums[3] += NAMED(count_bits)(p0 & p1) << shift;
    sums[4] += NAMED(count_bits)(p0 & p2) << shift;
  }
}

// A carry-save adder: a + b + c = sum + 2 carry in every bit.
#define SAVE_CARRY(sum, carry, a, b, c) \
  do {                                  \
    lanes half = (a) ^ (b);             \
    carry = ((a) & (b)) | (half & (c)); \
    sum = half ^ (c);                   \
  } while (0)

// Counts the one bits of `count` words with one population count per four words.
#define COUNT_WORDS(total, count, WORD)                     \
  do {                                                      \
    lanes ones = {0}, twos = {0}, sum = {0};                \
    uint32_t i = 0;                                         \
    for (; i + 4 <= (count); i += 4) {                      \
      lanes low, high, fours;                               \
      SAVE_CARRY(ones, low, ones, WORD(i), WORD(i + 1));    \
      SAVE_CARRY(ones, high, ones, WORD(i + 2), WORD(i + 3)); \
      SAVE_CARRY(twos, fours, twos, low, high);             \
      sum += NAMED(count_bits)(fours);                             \
    }                                                       \
    sum = (sum << 2) + (NAMED(count_bits)(twos) << 1) + NAMED(count_bits)(ones); \
    for (; i < (count); i++) sum += NAMED(count_bits)(WORD(i));    \
    total += sum;                                           \
  } while (0)

static inline __attribute__((always_inline)) void NAMED(add_run)(
    const int planes, const lanes *p0, const lanes *p1, const lanes *p2, uint32_t count,
    lanes *sums) {
#define FIRST(i) p0[i]
#define SECOND(i) p1[i]
#define THIRD(i) p2[i]
#define FIRST_SECOND(i) (p0[i] & p1[i])
#define FIRST_THIRD(i) (p0[i] & p2[i])
  COUNT_WORDS(sums[0], count, FIRST);
  COUNT_WORDS(sums[1], count, SECOND);
  if (planes == 3) {
    COUNT_WORDS(sums[2], count, THIRD);
    COUNT_WORDS(sums[3], count, FIRST_SECOND);
    COUNT_WORDS(sums[4], count, FIRST_THIRD);
  }
}

static inline __attribute__((always_inline)) void NAMED(count_block)(
    const int planes, const sweep_sequence *s, uint32_t begin, uint32_t end, uint32_t *run,
    uint32_t *masked, const scratch_space *space, lanes *sums) {
  const uint32_t width = planes == 3 ? 5 : 2;
  for (; *run < s->run_count && s->runs[*run].first_word < end; (*run)++) {
    const sweep_run *r = s->runs + *run;
    const uint32_t at = r->first_word - begin;
    NAMED(add_run)(planes, space->state[0] + at, space->state[1] + at, space->state[2] + at,
                   r->word_count, sums + (size_t)r->row * width);
  }
  for (; *masked < s->masked_count && s->masked[*masked].word < end; (*masked)++) {
    const sweep_masked *m = s->masked + *masked;
    const uint32_t at = m->word - begin;
    const lanes mask = (lanes){0} + m->mask;
    NAMED(add_word)(planes, space->state[0][at] & mask, space->state[1][at] & mask,
                    planes == 3 ? space->state[2][at] & mask : mask, m->shift,
                    sums + (size_t)m->row * width);
  }
}

static inline __attribute__((always_inline)) void NAMED(find_events)(
    const int planes, const sweep_sequence *s, uint32_t begin, uint32_t end,
    const scratch_space *space, progress *at, uint32_t *hits) {
  while (at->event < s->event_count && s->events[at->event].first_word < end) {
    const sweep_event *e = s->events + at->event;
    uint32_t word = e->first_word > begin ? e->first_word : begin;
    const uint32_t last = e->last_word < end ? e->last_word : end - 1;
    for (; word <= last && at->pending; word++) {
      uint64_t mask = word == e->first_word ? e->first_mask : ~0ull;
      if (word == e->last_word) mask &= e->last_mask;
      lanes found = (lanes){0} + mask;
      for (int k = 0; k < planes; k++) {
        const lanes state = space->state[k][word - begin];
        found &= e->label >> k & 1 ? state : ~state;
      }
      for (unsigned lane = 0; lane < SWEEP_LANES; lane++) {
        if (!(at->pending >> lane & 1) || found[lane] == 0) continue;
        hits[(size_t)at->event * SWEEP_LANES + lane] =
            word * 64 + (uint32_t)__builtin_ctzll(found[lane]);
        at->pending &= ~(1u << lane);
      }
    }
    if (e->last_word >= end) return;
    at->event++;
    at->pending = ALL_LANES;
  }
}

static inline __attribute__((always_inline)) void NAMED(keep_history)(
    uint32_t levels, uint32_t count, scratch_space *space) {
  for (uint32_t j = 0; j < levels; j++)
    for (uint32_t i = 0; i < HISTORY; i++) space->level[j][i] = space->level[j][count + i];
}

static inline __attribute__((always_inline)) void NAMED(count_planes)(
    const int planes, const sweep_sequence *s, const sweep_rules *rules,
    const uint64_t *const *bits, const uint8_t *is_shared, const uint32_t *frames,
    uint32_t frames_count, scratch_space *space, lanes *counts, uint32_t *hits) {
  const size_t stride = (size_t)s->row_count * (planes == 3 ? 5 : 2) + 1;
  const uint32_t levels = level_count(frames, frames_count);
  start(s, frames_count, levels, stride, space, counts, hits);
  uint32_t next_run = 0, next_masked = 0;
  for (uint32_t begin = 0; begin < s->word_count; begin += SWEEP_BLOCK_WORDS) {
    const uint32_t rest = s->word_count - begin;
    const uint32_t count = rest < SWEEP_BLOCK_WORDS ? rest : SWEEP_BLOCK_WORDS;
    NAMED(classify_block)(planes, s, rules, bits, is_shared, begin, count, space);
    NAMED(raise_levels)(levels, count, space);
    uint32_t run = next_run, masked = next_masked;
    for (uint32_t n = 0; n < frames_count; n++) {
      progress *at = space->progress + n;
      lanes *sums = counts + n * stride;
      sums[stride - 1] +=
          NAMED(settle)(planes, s, frames[n], begin, count, at->carry, space);
      run = next_run;
      masked = next_masked;
      NAMED(count_block)(planes, s, begin, begin + count, &run, &masked, space, sums);
      NAMED(find_events)(planes, s, begin, begin + count, space, at,
                         hits + (size_t)n * s->event_count * SWEEP_LANES);
    }
    next_run = run;
    next_masked = masked;
    NAMED(keep_history)(levels, count, space);
  }
}

static void NAMED(sweep)(const sweep_sequence *s, const sweep_rules *rules, uint32_t planes,
                         const uint64_t *const *bits, const uint8_t *is_shared,
                         const uint32_t *frames, uint32_t frames_count, scratch_space *space,
                         lanes *counts, uint32_t *hits) {
  if (planes == 3)
    NAMED(count_planes)(3, s, rules, bits, is_shared, frames, frames_count, space, counts, hits);
  else
    NAMED(count_planes)(2, s, rules, bits, is_shared, frames, frames_count, space, counts, hits);
}

#undef SWEEP_JOIN2
#undef SWEEP_JOIN
#undef NAMED
#undef SAVE_CARRY
#undef COUNT_WORDS
#undef FIRST
#undef SECOND
#undef THIRD
#undef FIRST_SECOND
#undef FIRST_THIRD
#undef SWEEP_NAME
