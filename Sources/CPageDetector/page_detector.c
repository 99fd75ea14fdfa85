#include "page_detector.h"

// Clang embeds files in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char module[] = {
#embed "detector.wasm"
};

const unsigned char *page_detector_module(size_t *count) {
  *count = sizeof module;
  return module;
}
