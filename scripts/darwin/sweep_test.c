// Counts random cases with the sweep kernel and with a plain loop over frames, and compares.
//   sweep_test CASES [PATH]
// PATH is the copy of the kernel that is taken (baseline, avx2, avx512), else the machine's best.
// The last line has a checksum of all counts, which is the same on every machine. Exits 0 if no
// count differs, 1 if one does, 3 if the machine lacks the copy.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSweepKernels.h"

enum {
  MOST_WORDS = 160,
  MOST_PREDICATES = 12,
  MOST_RULES = 5,
  MOST_ROWS = 6,
  MOST_LENGTHS = 6,
  MOST_FRAMES = MOST_WORDS * 64,
};

// Random numbers: splitmix64.
static uint64_t seed = 1;
static uint64_t draw(void) {
  uint64_t z = (seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static uint32_t below(uint32_t limit) { return (uint32_t)((draw() >> 32) * limit >> 32); }
static int chance(uint32_t percent) { return below(100) < percent; }

// FNV-1a over what the kernel returns.
static uint64_t checksum = 0xcbf29ce484222325u;
static void note(uint64_t value) {
  for (int byte = 0; byte < 8; byte++)
    checksum = (checksum ^ (value >> (8 * byte) & 255)) * 0x100000001b3u;
}

static void *memory(size_t count, size_t size) {
  const size_t bytes = (count * size + 127) / 64 * 64;
  void *start = aligned_alloc(64, bytes);
  if (start == NULL) {
    fputs("sweep_test: no memory\n", stderr);
    exit(2);
  }
  return memset(start, 0, bytes);
}

// One random case: a sequence, a decision list, and the bits of its predicates.
typedef struct {
  sweep_sequence sequence;
  sweep_rules rules;
  uint32_t planes, length_count;
  uint32_t lengths[MOST_LENGTHS];
  uint8_t flags[MOST_WORDS], labels[MOST_RULES], is_shared[MOST_PREDICATES];
  uint64_t valid[MOST_WORDS], transitions[MOST_WORDS];
  sweep_run runs[MOST_WORDS];
  sweep_masked masked[MOST_WORDS * 2];
  sweep_event events[MOST_WORDS];
  uint32_t ends[MOST_RULES];
  uint64_t *rows[MOST_PREDICATES * SWEEP_LANES];
} test_case;

static uint64_t some_bits(void) {
  switch (below(4)) {
    case 0: return 0;
    case 1: return ~(uint64_t)0;
    case 2: return draw() & draw();
    default: return draw();
  }
}

static void draw_words(test_case *c) {
  const uint32_t words = c->sequence.word_count;
  for (uint32_t word = 0; word < words; word++) {
    uint8_t flags = 0;
    if (word == 0 || chance(8)) {
      flags |= SWEEP_BEGINS_PIECE;
      if (word > 0 && chance(50)) flags |= SWEEP_CONTINUES;
      if (chance(25)) flags |= SWEEP_STARTS_MID;
    }
    if (chance(10)) flags |= SWEEP_DROPS;
    c->flags[word] = flags;
    c->valid[word] = chance(15) ? ~(uint64_t)0 >> below(64) : ~(uint64_t)0;
    c->transitions[word] = some_bits();
  }
}

// Whole words and masked ones, by word; runs end where blocks do.
static void draw_rows(test_case *c) {
  sweep_sequence *s = &c->sequence;
  for (uint32_t word = 0; word < s->word_count;) {
    uint32_t count = 1 + below(20);
    const uint32_t block = SWEEP_BLOCK_WORDS - word % SWEEP_BLOCK_WORDS;
    if (count > block) count = block;
    if (count > s->word_count - word) count = s->word_count - word;
    if (chance(60)) {
      c->runs[s->run_count++] = (sweep_run){word, count, below(s->row_count)};
    } else {
      for (uint32_t i = 0; i < count; i++)
        for (uint32_t twice = below(3); twice > 0; twice--)
          c->masked[s->masked_count++] =
              (sweep_masked){some_bits(), word + i, below(s->row_count), below(3)};
    }
    word += count;
  }
}

// Stretches that neither overlap nor nest; some are within one word.
static void draw_events(test_case *c) {
  sweep_sequence *s = &c->sequence;
  const uint32_t labels = c->planes == 3 ? 6 : 3;
  for (uint32_t word = 0; word < s->word_count;) {
    uint32_t count = 1 + below(50);
    if (count > s->word_count - word) count = s->word_count - word;
    if (chance(60))
      c->events[s->event_count++] = (sweep_event){
          ~(uint64_t)0 << below(64), ~(uint64_t)0 >> below(64), word, word + count - 1,
          below(labels)};
    word += count;
  }
}

// Predicates that hold for long, for short and for no time; a share of them is for all lanes.
static void draw_predicates(test_case *c) {
  uint32_t count = 0;
  for (uint32_t rule = 0; rule < c->rules.rule_count; rule++) {
    count += below(3);
    c->ends[rule] = count;
    c->labels[rule] = (uint8_t)below(c->planes == 3 ? 6 : 3);
  }
  c->rules.predicate_count = count;
  for (uint32_t p = 0; p < count; p++) {
    c->is_shared[p] = (uint8_t)chance(40);
    for (uint32_t lane = 0; lane < SWEEP_LANES; lane++) {
      uint64_t *row = memory(c->sequence.word_count, sizeof(uint64_t));
      const uint32_t change = (uint32_t[]){1, 10, 50, 700, 3000}[below(5)];
      int holds = chance(70);
      for (uint32_t frame = 0; frame < c->sequence.word_count * 64; frame++) {
        if (below(change) == 0) holds = chance(60);
        row[frame / 64] |= (uint64_t)holds << frame % 64;
      }
      c->rows[p * SWEEP_LANES + lane] = row;
    }
  }
}

static void draw_case(test_case *c) {
  memset(c, 0, sizeof *c);
  c->planes = 2 + below(2);
  c->sequence = (sweep_sequence){
      .flags = c->flags, .valid = c->valid, .transitions = c->transitions, .runs = c->runs,
      .masked = c->masked, .events = c->events, .word_count = 1 + below(MOST_WORDS),
      .row_count = 1 + below(MOST_ROWS)};
  c->rules = (sweep_rules){.labels = c->labels, .ends = c->ends, .rule_count = 1 + below(MOST_RULES)};
  draw_words(c);
  draw_rows(c);
  draw_events(c);
  draw_predicates(c);
  c->length_count = 1 + below(MOST_LENGTHS);
  for (uint32_t n = 0; n < c->length_count; n++)
    c->lengths[n] = 1 + below((uint32_t[]){10, 70, 200, SWEEP_MOST_FRAMES}[below(4)]);
  // Lengths at which shifts are whole words, and the longest.
  if (chance(50)) c->lengths[0] = (uint32_t[]){1, 64, 65, 129, 193, 194, SWEEP_MOST_FRAMES}[below(7)];
}

// The label of each frame before debouncing, for one lane: the first rule whose predicates all hold.
static void classify(const test_case *c, uint32_t lane, uint8_t *raw) {
  for (uint32_t frame = 0; frame < c->sequence.word_count * 64; frame++) {
    raw[frame] = 0;
    uint32_t first = 0;
    for (uint32_t rule = 0; rule < c->rules.rule_count; first = c->ends[rule++]) {
      int holds = 1;
      for (uint32_t p = first; p < c->ends[rule]; p++) {
        const uint64_t *row = c->rows[p * SWEEP_LANES + (c->is_shared[p] ? 0 : lane)];
        holds &= (int)(row[frame / 64] >> frame % 64 & 1);
      }
      if (holds) {
        raw[frame] = c->labels[rule];
        break;
      }
    }
  }
}

// The steady answers of one lane, and how many of their changes count.
static uint64_t debounce(
    const test_case *c, uint32_t length, const uint8_t *raw, uint8_t *steady) {
  uint64_t transitions = 0;
  uint32_t run = 0;
  uint8_t answer = 0, before = 0;
  for (uint32_t frame = 0; frame < c->sequence.word_count * 64; frame++) {
    const uint32_t word = frame / 64, bit = frame % 64;
    const uint8_t flags = c->flags[word];
    const int begins = bit == 0 && flags & SWEEP_BEGINS_PIECE;
    before = begins && !(flags & SWEEP_CONTINUES) ? 0 : answer;
    if (begins) answer = 0;
    run = frame > 0 && !begins && raw[frame] == raw[frame - 1] ? run + 1 : 1;
    const int is_valid = (int)(c->valid[word] >> bit & 1);
    if ((is_valid && run >= length) || (bit == 0 && flags & SWEEP_STARTS_MID)) answer = raw[frame];
    steady[frame] = answer;
    transitions += answer != before && c->transitions[word] >> bit & 1;
    transitions += bit == 63 && flags & SWEEP_DROPS && answer != 0;
  }
  return transitions;
}

// Adds one frame to a row's sums, as the header defines them.
static void add_frame(uint64_t *sums, uint32_t planes, uint8_t label, uint32_t shift) {
  const uint64_t p0 = label & 1, p1 = label >> 1 & 1, p2 = label >> 2 & 1;
  sums[0] += p0 << shift;
  sums[1] += p1 << shift;
  if (planes == 2) return;
  sums[2] += p2 << shift;
  sums[3] += (p0 & p1) << shift;
  sums[4] += (p0 & p2) << shift;
}

static void count_plainly(const test_case *c, const uint8_t *steady, uint64_t *sums) {
  const sweep_sequence *s = &c->sequence;
  const uint32_t width = sweep_sum_count(c->planes);
  for (uint32_t i = 0; i < s->run_count; i++) {
    const sweep_run *r = c->runs + i;
    for (uint32_t f = r->first_word * 64; f < (r->first_word + r->word_count) * 64; f++)
      add_frame(sums + r->row * width, c->planes, steady[f], 0);
  }
  for (uint32_t i = 0; i < s->masked_count; i++) {
    const sweep_masked *m = c->masked + i;
    for (uint32_t bit = 0; bit < 64; bit++)
      if (m->mask >> bit & 1)
        add_frame(sums + m->row * width, c->planes, steady[m->word * 64 + bit], m->shift);
  }
}

static uint32_t first_hit(const sweep_event *event, const uint8_t *steady) {
  for (uint32_t word = event->first_word; word <= event->last_word; word++)
    for (uint32_t bit = 0; bit < 64; bit++) {
      if (word == event->first_word && !(event->first_mask >> bit & 1)) continue;
      if (word == event->last_word && !(event->last_mask >> bit & 1)) continue;
      if (steady[word * 64 + bit] == event->label) return word * 64 + bit;
    }
  return UINT32_MAX;
}

// How many numbers of a case the kernel and the plain loop do not agree on.
static uint32_t differences(const test_case *c) {
  static uint8_t raw[MOST_FRAMES], steady[MOST_FRAMES];
  const sweep_sequence *s = &c->sequence;
  const size_t stride = (size_t)s->row_count * sweep_sum_count(c->planes) + 1;
  uint64_t *counts = memory(stride * c->length_count * SWEEP_LANES, sizeof *counts);
  uint32_t *hits = memory((size_t)s->event_count * c->length_count * SWEEP_LANES, sizeof *hits);
  uint64_t *plain = memory(stride, sizeof *plain);
  void *scratch = memory(sweep_scratch_size(c->length_count), 1);
  sweep_count(s, &c->rules, c->planes, (const uint64_t *const *)c->rows, c->is_shared, c->lengths,
              c->length_count, scratch, counts, hits);
  uint32_t wrong = 0;
  for (uint32_t lane = 0; lane < SWEEP_LANES; lane++) {
    classify(c, lane, raw);
    for (uint32_t n = 0; n < c->length_count; n++) {
      memset(plain, 0, stride * sizeof *plain);
      plain[stride - 1] = debounce(c, c->lengths[n], raw, steady);
      count_plainly(c, steady, plain);
      for (size_t i = 0; i < stride; i++) {
        const uint64_t count = counts[(n * stride + i) * SWEEP_LANES + lane];
        note(count);
        wrong += count != plain[i];
      }
      for (uint32_t e = 0; e < s->event_count; e++) {
        const uint32_t hit = hits[((size_t)n * s->event_count + e) * SWEEP_LANES + lane];
        note(hit);
        wrong += hit != first_hit(c->events + e, steady);
      }
    }
  }
  free(counts);
  free(hits);
  free(plain);
  free(scratch);
  return wrong;
}

// The same for the comparison of values with a threshold; among them NaN and infinities.
static uint32_t packing_differences(void) {
  enum { WORDS = 9 };
  static float values[WORDS * 64];
  uint64_t bits[WORDS];
  const float threshold = (float)below(5) / 4;
  for (uint32_t i = 0; i < WORDS * 64; i++) {
    const uint32_t pattern = (uint32_t)draw();
    memcpy(values + i, &pattern, sizeof pattern);
    if (chance(40)) values[i] = (float)below(5) / 4;
    if (chance(5)) values[i] = __builtin_nanf("");
  }
  uint32_t wrong = 0;
  for (uint32_t order = SWEEP_GREATER; order <= SWEEP_LESS_OR_EQUAL; order++) {
    sweep_pack(values, WORDS, order, threshold, bits);
    for (uint32_t i = 0; i < WORDS * 64; i++) {
      const float v = values[i];
      const int holds = order == SWEEP_GREATER            ? v > threshold
                        : order == SWEEP_GREATER_OR_EQUAL ? v >= threshold
                        : order == SWEEP_LESS             ? v < threshold
                                                          : v <= threshold;
      wrong += (uint32_t)holds != (bits[i / 64] >> i % 64 & 1);
    }
    for (uint32_t word = 0; word < WORDS; word++) note(bits[word]);
  }
  return wrong;
}

int main(int count, char **words) {
  const int cases = count > 1 ? atoi(words[1]) : 200;
  if (cases < 1) {
    fputs("sweep_test: give the number of cases, at least 1\n", stderr);
    return 64;
  }
  if (count > 2 && !sweep_force_path(words[2])) {
    printf("%s: this machine lacks it\n", words[2]);
    return 3;
  }
  static test_case c;
  uint32_t wrong = 0;
  for (int i = 0; i < cases; i++) {
    draw_case(&c);
    wrong += differences(&c) + packing_differences();
    for (uint32_t row = 0; row < c.rules.predicate_count * SWEEP_LANES; row++) free(c.rows[row]);
  }
  printf("%s: %d cases, %" PRIu32 " differ, checksum %016" PRIx64 "\n", sweep_path(), cases, wrong,
         checksum);
  return wrong != 0;
}
