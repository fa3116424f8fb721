// SPDX-License-Identifier: Apache-2.0
// What libc keeps for each thread: tables of character classes, the locale, strerror's memory, the
// state of a conversion. A new thread has its own, and keeps it while others run.
// SCHEDULES: 200
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static atomic_int turns;

static void* work(void* argument) {
  const char letter = *(const char*)argument;
  locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(own);
  for (int i = 0; i < 3; ++i) {
    atomic_fetch_add(&turns, 1);
    assert(islower((unsigned char)letter) && toupper((unsigned char)letter) == letter - 'a' + 'A');
    assert(uselocale((locale_t)0) == own);
  }
  const char* unknown = strerror(12345 + letter);
  char copy[64];
  strncpy(copy, unknown, sizeof copy - 1);
  copy[sizeof copy - 1] = 0;
  atomic_fetch_add(&turns, 1);
  assert(strcmp(copy, unknown) == 0 && mbsinit(NULL) != 0);
  uselocale(before);
  freelocale(own);
  return NULL;
}

int main(void) {
  static char letters[2] = {'x', 'y'};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &letters[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return turns == 8 ? 0 : 1;
}
