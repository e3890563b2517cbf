#pragma once
#include <ebur128.h>

/* A combination of flags, which Swift does not import as a number. */
static const int editor_EBUR128_INTEGRATED = EBUR128_MODE_I;
static const int editor_EBUR128_INTEGRATED_AND_PEAK = EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK;
static const int editor_EBUR128_SUCCESS = EBUR128_SUCCESS;
