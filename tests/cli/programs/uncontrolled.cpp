// SPDX-License-Identifier: Apache-2.0
//
// What raddle cannot run, one by its name: objects that are shared with a child, threads of clone
// and of libc itself.
// And what looks like it, but can be run: "after", "private", "process", "vfork", "named-unused".
#include <aio.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

struct Common {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  sem_t semaphore;
  int futex;
};

static void init(Common& c) {
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&c.mutex, &mutex);
  pthread_condattr_t cond;
  pthread_condattr_init(&cond);
  pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&c.cond, &cond);
  pthread_rwlockattr_t rwlock;
  pthread_rwlockattr_init(&rwlock);
  pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&c.rwlock, &rwlock);
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&c.barrier, &barrier, 2);
  sem_init(&c.semaphore, 1, 0);
}

static int nothing(void*) { return 0; }

static int wait_for_all() {
  int status = 0;
  while (wait(&status) > 0)
    if (status != 0) return 9;
  return 0;
}

static void use(Common& c, const char* what) {
  auto is = [what](const char* word) { return strcmp(what, word) == 0; };
  if (is("mutex") || is("private")) pthread_mutex_lock(&c.mutex), pthread_mutex_unlock(&c.mutex);
  if (is("cond")) pthread_cond_signal(&c.cond);
  if (is("rwlock")) pthread_rwlock_rdlock(&c.rwlock);
  if (is("barrier")) pthread_barrier_wait(&c.barrier);
  if (is("semaphore")) sem_wait(&c.semaphore);
  if (is("futex")) syscall(SYS_futex, &c.futex, FUTEX_WAIT, 0, nullptr, nullptr, 0);
}

static int share(const char* what) {
  int flags = strcmp(what, "private") == 0 ? MAP_PRIVATE : MAP_SHARED;
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  Common& c = *static_cast<Common*>(memory);
  init(c);
  bool after = strcmp(what, "after") == 0;
  sem_t* named =
      strncmp(what, "named", 5) == 0 ? sem_open("/raddle-test", O_CREAT, 0600, 1) : nullptr;
  if (named != nullptr) sem_unlink("/raddle-test"), sem_wait(named), sem_post(named);
  if (fork() == 0) {
    usleep(1000);
    if (after) sem_post(&c.semaphore);
    _exit(0);
  }
  if (after) {
    int result = wait_for_all();
    sem_wait(&c.semaphore);
    return result;
  }
  use(c, what);
  if (named != nullptr) sem_wait(named);
  if (strcmp(what, "named") == 0) sem_wait(named);
  return wait_for_all();
}

int main(int, char** argv) {
  std::thread other([] {});
  other.join();
  const char* what = argv[1];
  static char stack[64 << 10];
  constexpr int kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND;
  if (strcmp(what, "clone") == 0)
    return clone(nothing, stack + sizeof stack, kThread | CLONE_THREAD, nullptr) < 0;
  if (strcmp(what, "aio") == 0) {
    char byte = 0;
    aiocb request{};
    request.aio_fildes = open("/dev/null", O_RDONLY);
    request.aio_buf = &byte;
    request.aio_nbytes = 1;
    return aio_read(&request);
  }
  if (strcmp(what, "mq") == 0) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = [](sigval) {};
    return mq_notify(-1, &event);
  }
  if (strcmp(what, "clone-call") == 0) return syscall(SYS_clone, kThread, 0, 0, 0, 0) < 0;
  if (strcmp(what, "process") == 0) {
    if (clone(nothing, stack + sizeof stack, SIGCHLD, nullptr) < 0) return 1;
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
    return wait_for_all();
  }
  if (strcmp(what, "vfork") == 0) {
    if (clone(nothing, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr) < 0)
      return 1;
    if (syscall(SYS_vfork) == 0) _exit(0);
    return wait_for_all();
  }
  return share(what);
}
