// SPDX-License-Identifier: Apache-2.0
// Bug: a read that a signal interrupts is taken for a broken pipe.
// EXPECT: kind=assertion within=50 function=main
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
static volatile sig_atomic_t told;

static void on_signal(int number) { told = number; }

static void* send(void* reader) {
  pthread_kill(*(pthread_t*)reader, SIGUSR1);
  ssize_t written = write(ends[1], "x", 1);
  assert(written == 1);
  return NULL;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;  // no SA_RESTART
  sigaction(SIGUSR1, &action, NULL);
  int made = pipe(ends);
  assert(made == 0);
  pthread_t self = pthread_self(), sender;
  pthread_create(&sender, NULL, send, &self);
  char letter = 0;
  ssize_t got = read(ends[0], &letter, 1);
  assert(got == 1 && letter == 'x');
  pthread_join(sender, NULL);
}
