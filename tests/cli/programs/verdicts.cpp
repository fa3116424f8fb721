// SPDX-License-Identifier: Apache-2.0
// One way to fail for each argument. The comments `// where: NAME` mark lines that the tests expect
// to see named in a finding.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <stdexcept>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

struct Ledger {
  int entries[4];
};

using Body = void* (*)(void*);

void run_two(Body one, Body two) {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, one, nullptr);
  pthread_create(&threads[1], nullptr, two, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);  // where: join
}

void* forwards(void*) {
  pthread_setname_np(pthread_self(), "forward");
  pthread_mutex_lock(&first);   // where: forwards-holds
  pthread_mutex_lock(&second);  // where: forwards-wants
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return nullptr;
}

void* backwards(void*) {
  pthread_mutex_lock(&second);  // where: backwards-holds
  pthread_mutex_lock(&first);   // where: backwards-wants
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return nullptr;
}

void* relock(void*) {
  pthread_mutex_lock(&first);  // where: relock-holds
  pthread_mutex_lock(&first);  // where: relock-wants
  return nullptr;
}

void* idle(void*) { return nullptr; }

Ledger* volatile missing = nullptr;
void* store_null(void*) {
  missing->entries[0] = 1;  // where: null
  return nullptr;
}

volatile int sink = 0;
__attribute__((noinline)) int dig(volatile char* above) {
  volatile char room[4096];
  room[0] = above[0];
  return sink == 1 ? 0 : dig(room) + room[0];  // where: dig
}
void* dig_deep(void*) {
  volatile char top[1] = {0};
  sink = dig(top);
  return nullptr;
}

void* throw_one(void*) { throw std::runtime_error("the ledger is torn"); }

__attribute__((always_inline)) inline void demand(bool good) {
  assert(good);  // where: inlined
}
__attribute__((noinline)) void audit(int value) {
  demand(value == 1);  // where: caller
  sink = value;
}
void* audit_wrongly(void*) {
  audit(2);
  return nullptr;
}

// Each gives way to the other for ever.
int wants[2] = {0, 0};
void polite(int self) {
  __atomic_store_n(&wants[self], 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&wants[1 - self], __ATOMIC_SEQ_CST) != 0) sched_yield();  // where: polite
  __atomic_store_n(&wants[self], 0, __ATOMIC_SEQ_CST);
}
void* polite_one(void*) {
  polite(0);
  return nullptr;
}
void* polite_two(void*) {
  polite(1);
  return nullptr;
}

// The one spins where raddle sees nothing, once the other has come to its wait.
sem_t arrived;
sem_t never;
void* spin_blindly(void*) {
  sem_wait(&arrived);
  for (;;) __asm__ volatile("");  // where: hang
}
void* spin_deaf(void*) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) __asm__ volatile("");  // where: deaf
}
void* wait_behind(void*) {
  sem_post(&arrived);
  sem_wait(&never);  // where: behind
  return nullptr;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  auto is = [mode](const char* name) { return strcmp(mode, name) == 0; };
  if (is("abba")) run_two(forwards, backwards);
  if (is("self")) run_two(relock, idle);
  if (is("null")) run_two(store_null, idle);
  if (is("overflow")) run_two(dig_deep, idle);
  if (is("throw")) run_two(throw_one, idle);
  if (is("inline")) run_two(audit_wrongly, idle);
  if (is("livelock")) run_two(polite_one, polite_two);
  if (is("abort")) abort();
  if (is("exit")) return 7;
  if (is("hang")) run_two(wait_behind, spin_blindly);
  if (is("deaf")) run_two(spin_deaf, idle);
  return 0;
}
