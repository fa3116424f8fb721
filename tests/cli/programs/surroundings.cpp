// SPDX-License-Identifier: Apache-2.0
// One dependence on the surroundings for each argument: input, files, time, the clock of the
// processor, spurious wake-ups, the kind of points.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
bool ready = false;
int plain = 0;
std::atomic<int> turns = 0;
std::atomic<int> first_to_come = 0;

using Body = void* (*)(void*);

void run_two(Body one, Body two) {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, one, nullptr);
  pthread_create(&threads[1], nullptr, two, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

void* claim_one(void*) {
  int nobody = 0;
  first_to_come.compare_exchange_strong(nobody, 1);
  return nullptr;
}
void* claim_two(void*) {
  int nobody = 0;
  first_to_come.compare_exchange_strong(nobody, 2);
  return nullptr;
}

// Sums the numbers of standard input; the exit code says whether it was all there.
int sum_input(int expected) {
  run_two(claim_one, claim_two);
  int sum = 0;
  for (int number = 0; scanf("%d", &number) == 1;) sum += number;
  printf("sum %d\n", sum);
  return sum == expected ? 0 : 1;
}

void* count(void*) {
  ++turns;
  return nullptr;
}

void* wait_once(void*) {
  pthread_mutex_lock(&lock);
  if (!ready) pthread_cond_wait(&changed, &lock);  // `if` is not enough
  assert(ready);
  pthread_mutex_unlock(&lock);
  return nullptr;
}
void* wake(void*) {
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return nullptr;
}

void* publish_later(void*) {
  turns = 1;
  return nullptr;
}
void* sleep_and_trust(void*) {
  timespec second = {1, 0};
  nanosleep(&second, nullptr);
  assert(turns == 1);
  return nullptr;
}

void* add_plainly(void*) {
  int before = plain;
  plain = before + 1;
  return nullptr;
}

void* step_for_ever(void*) {
  while (true) ++turns;
}

// Takes real time and then fails, if the second thread came first. Clocks are raddle's, so the
// processor's is asked.
void stall(long milliseconds) {
  run_two(claim_one, claim_two);
  unsigned long begin = __rdtsc();
  while (__rdtsc() - begin < static_cast<unsigned long>(milliseconds) * 2000000) {
  }
  assert(first_to_come == 1);
}

void* by_time_stamp(void*) {
  unsigned long stamp = __rdtsc();
  for (unsigned long i = 0; i < stamp % 1009; ++i) ++turns;  // where: time-stamp
  return nullptr;
}

// Each run finds in the file what the run before has written.
void* by_counter_file(void*) {
  int runs = 0;
  if (FILE* file = fopen("counter", "r")) {
    if (fscanf(file, "%d", &runs) != 1) runs = 0;
    fclose(file);
  }
  FILE* file = fopen("counter", "w");
  fprintf(file, "%d", runs + 1);
  fclose(file);
  for (int i = 0; i < runs; ++i) ++turns;  // where: counter-file
  return nullptr;
}

// Fails in two ways, by which thread comes first.
void both_wrong() {
  run_two(claim_one, claim_two);
  if (first_to_come == 1) assert(!"one came first");
  exit(9);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  auto is = [mode](const char* name) { return strcmp(mode, name) == 0; };
  if (is("sum")) return sum_input(atoi(argv[2]));
  if (is("winner")) {
    run_two(claim_one, claim_two);
    printf("winner %d\n", first_to_come.load());
  }
  if (is("both")) both_wrong();
  if (is("spurious")) run_two(wait_once, wake);
  if (is("sleep")) run_two(publish_later, sleep_and_trust);
  if (is("endless")) run_two(step_for_ever, count);
  if (is("stall")) stall(atol(argv[2]));
  if (is("time-stamp")) run_two(by_time_stamp, count);
  if (is("counter-file")) run_two(by_counter_file, count);
  if (is("exit")) return atoi(argv[2]);
  if (is("plain")) {
    run_two(add_plainly, add_plainly);
    assert(plain == 2);
  }
  return 0;
}
