// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag is tested and set by one atomic exchange (a bare spin, without a yield).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int owners;

static void* enter(void* unused) {
  while (atomic_flag_test_and_set(&held)) {
  }
  owners = owners + 1;
  assert(owners == 1);
  owners = owners - 1;
  atomic_flag_clear(&held);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, enter, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
