#pragma once

#include <stddef.h>

/// The module that `scripts/build-page-detector` makes of `Sources/PageDetector`, as WebAssembly.
///
/// It stands in a C target because a Swift array of so many bytes takes minutes to compile.
const unsigned char *page_detector_module(size_t *count);
