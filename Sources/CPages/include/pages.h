#pragma once

#include <stddef.h>

/// A file that is built into the program.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} page_file;

/// The file of a name; its bytes are NULL where there is none.
///
/// They are the files of PlankBench's `Page` folders, the script that `record` hands to Python, and
/// `detector.wasm`, which `scripts/build-page-detector` builds from `Sources/PageDetector`. They are in a C target because
/// Swift takes half a minute to compile arrays of this size, and minutes for the detector.
page_file page_file_named(const char *name);
