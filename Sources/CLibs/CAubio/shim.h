#pragma once
/* Types only: the library is loaded when beats are looked for. */
#include <aubio/aubio.h>
