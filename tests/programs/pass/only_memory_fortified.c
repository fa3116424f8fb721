// SPDX-License-Identifier: Apache-2.0
//
// The same by the names that programs built with _FORTIFY_SOURCE call.
// FLAGS: -O2 -D_FORTIFY_SOURCE=2
// SCHEDULES: 50
#include "only_memory_functions.c"
