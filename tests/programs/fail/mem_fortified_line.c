// SPDX-License-Identifier: Apache-2.0
// Bug: as in mem_smaller_line.c, by the name that programs built with _FORTIFY_SOURCE call.
// EXPECT: kind=heap-overflow within=100 message~"past its end" function=first
// FLAGS: -O2 -D_FORTIFY_SOURCE=2
#include "mem_smaller_line.c"
