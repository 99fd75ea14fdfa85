#include "CLibcrypto.h"
