// What our C uses of Apple's <string.h>; there is no SDK of Apple where this is compiled.
#pragma once
#include <stddef.h>
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
int strcmp(const char *, const char *);
