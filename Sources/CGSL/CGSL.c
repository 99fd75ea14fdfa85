#include "CGSL.h"
