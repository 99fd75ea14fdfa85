#pragma once

#include <stddef.h>

/// A file that a page consists of.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} page_file;

/// The file of a name; its bytes are NULL where there is none.
///
/// The files are those of the folders `Page` of PlankBench, and `detector.wasm`, which
/// `scripts/build-page-detector` makes of `Sources/PageDetector`. They stand in a C target because a
/// Swift array of so many bytes takes half a minute to compile, the detector's minutes.
page_file page_file_named(const char *name);
