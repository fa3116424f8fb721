// SPDX-License-Identifier: Apache-2.0
// Bug: each thread counts on its own numbers, but the variable in the plugin is shared.
// PLUGIN: plugins/ids.c -DSTORAGE=
// EXPECT: kind=assertion within=30 function=work
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// More than a quarter of a gigabyte of variables: sites of plugins have to be points all the same.
char ballast[300 << 20];
static int (*next_id)(void);

static void* work(void* unused) {
  (void)unused;
  const int first = next_id();
  const int second = next_id();
  assert(second == first + 1);
  return NULL;
}

int main(int count, char** arguments) {
  char path[4096];
  (void)count;
  snprintf(path, sizeof path, "%s.plugin.so", arguments[0]);
  void* plugin = dlopen(path, RTLD_NOW);
  assert(plugin != NULL);
  *(void**)&next_id = dlsym(plugin, "next_id");
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  dlclose(plugin);
  return 0;
}
