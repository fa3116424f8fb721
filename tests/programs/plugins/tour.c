// SPDX-License-Identifier: Apache-2.0
// A plugin with thread-local variables of both models, and code that runs when it is loaded and
// unloaded. The program gives it a place to write to.
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int dynamic = 5;
static _Thread_local int fixed __attribute__((tls_model("initial-exec"))) = 6;
static int loaded;

static void* add_one(void* number) {
  ++*(int*)number;
  return NULL;
}

// Starts a thread of its own, as real plugins do.
__attribute__((constructor)) static void on_load(void) {
  pthread_t helper;
  if (pthread_create(&helper, NULL, add_one, &loaded) != 0) abort();
  pthread_join(helper, NULL);
  if (dynamic != 5 || fixed != 6) abort();
}

int* unloads;

__attribute__((destructor)) static void on_unload(void) {
  if (unloads != NULL) ++*unloads;
}

int step(void);
int step(void) { return loaded * 100 + dynamic++ * 10 + fixed++; }
