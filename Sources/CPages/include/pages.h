#pragma once

#include <stddef.h>

/// A file that is built into the program.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} page_file;

/// Returns the file with a name; its bytes are NULL if there is no such file.
///
/// The files are those of PlankBench's `Page` folders, the script that `record` hands to Python,
/// and `detector.wasm`, which `scripts/build-page-detector` builds from `Sources/PageDetector`.
/// They are in a C target because Swift takes half a minute to compile arrays of this size, and
/// minutes for the detector.
page_file page_file_named(const char *name);
