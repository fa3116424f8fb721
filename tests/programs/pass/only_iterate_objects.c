// SPDX-License-Identifier: Apache-2.0
//
// The callbacks of dl_iterate_phdr may synchronise while others load libraries or iterate, too.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int seen;

static int visit(struct dl_phdr_info* info, size_t size, void* data) {
  (void)info, (void)size;
  atomic_fetch_add(&seen, 1);
  if (data != NULL) dlclose(dlopen("libresolv.so.2", RTLD_NOW));
  return data != NULL;
}

static void* iterate(void* unused) {
  dl_iterate_phdr(visit, NULL);
  return unused;
}

static void* iterate_and_load(void* unused) {
  dl_iterate_phdr(visit, &seen);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, iterate, NULL);
  pthread_create(&threads[1], NULL, iterate_and_load, NULL);
  atomic_fetch_add(&seen, 1);
  void* library = dlopen("libresolv.so.2", RTLD_NOW);
  if (library != NULL) dlclose(library);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
