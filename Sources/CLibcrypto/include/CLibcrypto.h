#pragma once
// On Apple's systems nothing imports this, but the package manager compiles every target of the root package.
#ifndef __APPLE__
#include <openssl/evp.h>
#endif
