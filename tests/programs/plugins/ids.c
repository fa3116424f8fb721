// SPDX-License-Identifier: Apache-2.0
// A plugin that hands out numbers. STORAGE says whether each thread counts for itself.
static STORAGE int last;

int next_id(void);
int next_id(void) {
  last = last + 1;
  return last;
}
