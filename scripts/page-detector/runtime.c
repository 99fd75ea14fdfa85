// The few functions of C that Swift's runtime needs where there is no C library.
#include <stddef.h>
#include <stdint.h>

// A chunk of memory: its size class stands before it, the next free one in it.
typedef struct Chunk {
  uint64_t size_class;
  struct Chunk *next;
} Chunk;

extern unsigned char __heap_base;
static Chunk *free_chunks[32];
static uintptr_t top;

static void *take(unsigned size_class) {
  if (top == 0) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
  uintptr_t start = top;
  top += ((uintptr_t)1 << size_class) + 16;
  uintptr_t pages = (top + 65535) / 65536;
  uintptr_t have = __builtin_wasm_memory_size(0);
  if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (uintptr_t)-1) {
    __builtin_trap();
  }
  return (void *)start;
}

// Memory in sizes of powers of two, each with a list of what is free; nothing goes back.
void *malloc(size_t count) {
  unsigned size_class = 4;
  while (((size_t)1 << size_class) < count) size_class++;
  Chunk *chunk = free_chunks[size_class];
  if (chunk) {
    free_chunks[size_class] = chunk->next;
  } else {
    chunk = take(size_class);
    chunk->size_class = size_class;
  }
  return (unsigned char *)chunk + 16;
}

void free(void *memory) {
  if (!memory) return;
  Chunk *chunk = (Chunk *)((unsigned char *)memory - 16);
  chunk->next = free_chunks[chunk->size_class];
  free_chunks[chunk->size_class] = chunk;
}

// Every chunk is aligned to 16 bytes, and nothing asks for more.
int posix_memalign(void **memory, size_t alignment, size_t count) {
  if (alignment > 16) __builtin_trap();
  *memory = malloc(count);
  return 0;
}

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) {
  return __builtin_memmove(to, from, count);
}
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *one = left, *other = right;
  for (size_t index = 0; index < count; index++) {
    if (one[index] != other[index]) return one[index] - other[index];
  }
  return 0;
}

// The product of two numbers of 128 bits, as 64-bit machines have it built in.
__int128 __multi3(__int128 left, __int128 right) {
  uint64_t a = left, b = right;
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (uint32_t)middle;
  uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
  high += (uint64_t)(left >> 64) * b + a * (uint64_t)(right >> 64);
  return ((__int128)high << 64) | ((other << 32) | (uint32_t)low);
}

// Reads a decimal number as expressions have them; exact to 15 digits and 22 places, which is more
// than the page needs: it reads expressions and does not compute them.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  const char *at = text;
  uint64_t digits = 0;
  int places = 0, has_digit = 0, after_point = 0;
  for (;; at++) {
    if (*at == '.' && !after_point) {
      after_point = 1;
    } else if (*at >= '0' && *at <= '9') {
      has_digit = 1;
      if (digits > UINT64_MAX / 10 - 1) continue;
      digits = digits * 10 + (uint64_t)(*at - '0');
      places -= after_point;
    } else {
      break;
    }
  }
  if (!has_digit) return 0;
  if (*at == 'e' || *at == 'E') {
    const char *sign = ++at;
    int exponent = 0;
    if (*at == '-' || *at == '+') at++;
    if (*at < '0' || *at > '9') return 0;
    for (; *at >= '0' && *at <= '9'; at++) {
      if (exponent < 1000) exponent = exponent * 10 + (*at - '0');
    }
    places += *sign == '-' ? -exponent : exponent;
  }
  double scale = 1;
  for (int place = 0; place < (places < 0 ? -places : places); place++) scale *= 10;
  *result = places < 0 ? (double)digits / scale : (double)digits * scale;
  return at;
}

// Hash tables begin with this; a page that answers nobody needs no secret there.
void arc4random_buf(void *to, size_t count) { memset(to, 0, count); }

// What Unicode says of characters beyond ASCII, which the lines of a detector do not have: nothing. The tables of the
// standard library would be a fifth of the page's program.
const uint8_t *const _swift_stdlib_nfd_decompositions = 0;
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return (void)scalar, 0; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return (void)scalar, 0; }
uint32_t _swift_stdlib_getComposition(uint32_t x, uint32_t y) { return (void)x, (void)y, 0; }
uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { return (void)scalar, 0; }
_Bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { return (void)scalar, 0; }
_Bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { return (void)scalar, 0; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { return (void)scalar, 0; }
