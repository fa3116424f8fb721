// SPDX-License-Identifier: Apache-2.0
// Bug: a turnstile made of C11 threads counts outside its mutex, so a visitor can be lost.
// EXPECT: kind=exit-code within=100
#include <threads.h>

static mtx_t gate;
static int inside;
static int counted;

static int visit(void* unused) {
  (void)unused;
  mtx_lock(&gate);
  ++inside;
  mtx_unlock(&gate);
  const int before = counted;
  counted = before + 1;
  return before;
}

int main(void) {
  thrd_t visitors[2];
  mtx_init(&gate, mtx_plain);
  for (int i = 0; i < 2; ++i) thrd_create(&visitors[i], visit, NULL);
  for (int i = 0; i < 2; ++i) thrd_join(visitors[i], NULL);
  mtx_destroy(&gate);
  return inside == 2 && counted == 2 ? 0 : 1;
}
