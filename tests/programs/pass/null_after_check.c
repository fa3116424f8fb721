// SPDX-License-Identifier: Apache-2.0
// Fixed: the pointer is loaded once and the copy is checked and used.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct session {
  int user;
};

static struct session login = {42};
static struct session* _Atomic current = &login;
static atomic_int user;

static void* use_session(void* unused) {
  struct session* mine = atomic_load(&current);
  if (mine != NULL) atomic_store(&user, mine->user);
  return unused;
}

static void* log_out(void* unused) {
  atomic_store(&current, NULL);
  return unused;
}

int main(void) {
  pthread_t reader;
  pthread_t closer;
  pthread_create(&reader, NULL, use_session, NULL);
  pthread_create(&closer, NULL, log_out, NULL);
  pthread_join(reader, NULL);
  pthread_join(closer, NULL);
  return user == 0 || user == 42 ? 0 : 1;
}
