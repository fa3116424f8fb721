// SPDX-License-Identifier: Apache-2.0
// Gets ready for its threads in a way that the argument names. The file `starts` gets a byte for
// every time this happened, `turns` one for every turn of a thread: by system calls that nobody
// stands in front of, so that raddle cannot know.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
const char* mode;
int order[6];
int turns;
int ends[2];          // pipe
pid_t me;             // pid
int* visits;          // memory
int second_word = 0;  // input

bool is(const char* name) { return strcmp(mode, name) == 0; }

void mark(const char* file) {
  long fd = syscall(SYS_open, file, O_WRONLY | O_CREAT | O_APPEND, 0644);
  syscall(SYS_write, fd, ".", 1L);
  syscall(SYS_close, fd);
}

void write_number(int number) {
  FILE* file = fopen("number", "w");
  fprintf(file, "%d", number);
  fclose(file);
}

int read_number() {
  int number = -1;
  FILE* file = fopen("number", "r");
  assert(fscanf(file, "%d", &number) == 1);
  fclose(file);
  return number;
}

void get_ready() {
  if (is("pipe")) assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
  if (is("file")) write_number(0);
  if (is("pid")) me = getpid();
  if (is("memory"))
    visits = static_cast<int*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (is("input")) assert(scanf("%d", &second_word) == 1);
  if (is("output")) {
    printf("getting ready\n");
    fflush(stdout);
    printf("and more, ");
  }
  if (is("child") && fork() == 0) _exit(0);
  if (is("command")) assert(system("test ! -e made && touch made") == 0);
  if (is("steps"))
    for (int i = 0; i < 3000; ++i) {
      pthread_mutex_lock(&lock);
      pthread_mutex_unlock(&lock);
    }
}

// What a run finds is what it got ready itself.
void use_it() {
  char byte;
  if (is("pipe")) assert(read(ends[0], &byte, 1) == 1);
  if (is("file")) {
    assert(read_number() == 0);
    write_number(1);
  }
  if (is("pid")) assert(kill(me, 0) == 0 && me == getpid());
  if (is("memory")) assert(++*visits == 1);
  if (is("input")) assert(second_word == 1 && scanf("%d", &second_word) == 1 && second_word == 2);
  if (is("child")) assert(wait(nullptr) > 0);
  if (is("command")) assert(system("rm made") == 0);
}

void* work(void* argument) {
  int id = *static_cast<int*>(argument);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    if (turns == 0) use_it();
    order[turns++] = id;
    mark("turns");
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

}  // namespace

int main(int, char** argv) {
  mode = argv[1];
  mark("starts");
  get_ready();
  pthread_t threads[2];
  int ids[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, work, &ids[i]);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  for (int id : order) printf("%d", id);
  printf("\n");
  return is("output") && order[0] == 2;
}
