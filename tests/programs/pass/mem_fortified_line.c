// SPDX-License-Identifier: Apache-2.0
// Fixed: as in mem_smaller_line.c.
// SCHEDULES: 200
// FLAGS: -O2 -D_FORTIFY_SOURCE=2
#include "mem_smaller_line.c"
