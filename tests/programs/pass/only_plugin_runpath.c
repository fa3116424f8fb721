// SPDX-License-Identifier: Apache-2.0
// A plugin without a path in its name is looked for in the program's own run path: who calls dlopen
// matters, and it must still be the program.
// PLUGIN: plugins/tour.c
// FLAGS: -Wl,-rpath,$ORIGIN
// SCHEDULES: 50
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[256];

static void* open_plugin(void* unused) {
  void* plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) puts(dlerror());
  assert(plugin != NULL);
  return unused;
}

int main(int count, char** arguments) {
  const char* slash = strrchr(arguments[0], '/');
  pthread_t thread;
  snprintf(name, sizeof name, "%s.plugin.so", slash != NULL ? slash + 1 : arguments[0]);
  open_plugin(NULL);
  pthread_create(&thread, NULL, open_plugin, NULL);
  pthread_join(thread, NULL);
  return count != 1;
}
