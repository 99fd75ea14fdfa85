#pragma once
/* simdjson has a C++ interface only; this module carries its flags. CSimdjson is the C door. */
