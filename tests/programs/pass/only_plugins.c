// SPDX-License-Identifier: Apache-2.0
// Plugins loaded during a run: thread-local variables in old and new threads, closing and
// reopening, two threads that open at the same time.
// PLUGIN: plugins/tour.c
// SCHEDULES: 500
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static char path[4096];
static sem_t loaded, called;
static int (*step)(void);
static int unloads;

static void* open_plugin(void) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) puts(dlerror());
  assert(plugin != NULL);
  **(int***)&(void*){dlsym(plugin, "unloads")} = &unloads;
  *(void**)&step = dlsym(plugin, "step");
  return plugin;
}

static void* old_thread(void* unused) {
  (void)unused;
  sem_wait(&loaded);
  assert(step() == 156 && step() == 167);
  sem_post(&called);
  return NULL;
}

static void* new_thread(void* unused) {
  assert(step() == 156 && step() == 167);
  return unused;
}

static void* open_and_close(void* unused) {
  int (*my_step)(void);
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  *(void**)&my_step = dlsym(plugin, "step");
  assert(my_step() == 156);
  dlclose(plugin);
  return unused;
}

int main(int count, char** arguments) {
  (void)count;
  snprintf(path, sizeof path, "%s.plugin.so", arguments[0]);
  pthread_t old, fresh, pair[2];
  pthread_create(&old, NULL, old_thread, NULL);
  void* plugin = open_plugin();
  sem_post(&loaded);
  pthread_create(&fresh, NULL, new_thread, NULL);
  sem_wait(&called);
  assert(step() == 156);
  pthread_join(old, NULL);
  pthread_join(fresh, NULL);
  assert(dlclose(plugin) == 0 && unloads == 1);
  plugin = open_plugin();
  assert(step() == 156);
  assert(dlclose(plugin) == 0 && unloads == 2);
  for (int i = 0; i < 2; ++i) pthread_create(&pair[i], NULL, open_and_close, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(pair[i], NULL);
  return unloads != 2;
}
