// SPDX-License-Identifier: Apache-2.0
//
// A thread that has been cancelled ends at its next cancellation point, and nowhere else: which
// calls are points is as glibc has it.
// SCHEDULES: 10
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // sigpause

static int ends[2], pair[2], file, poller;
static char bytes[64];
static struct iovec piece = {bytes, 1};
static struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
static struct mmsghdr batch = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}};
static struct timespec soon = {0, 1000}, wrong = {0, -1};
static struct timeval at_once;
static struct flock lock = {.l_type = F_WRLCK};
static sigset_t signals;
static sem_t one;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ended;
static FILE *out, *in, *quiet;

// clang-format off
#define POINTS(X) \
  X(read(ends[0], bytes, 1)) X(readv(ends[0], &piece, 1)) X(read(-1, bytes, 1)) \
  X(read(file, bytes, 1)) X(pread(file, bytes, 1, 0)) X(preadv(file, &piece, 1, 0)) \
  X(write(ends[1], bytes, 1)) X(writev(ends[1], &piece, 1)) X(write(1, bytes, 0)) \
  X(write(file, bytes, 1)) X(pwrite(file, bytes, 1, 0)) X(pwritev(file, &piece, 1, 0)) \
  X(recv(pair[0], bytes, 1, 0)) X(recvfrom(pair[0], bytes, 1, 0, NULL, NULL)) \
  X(recv(pair[0], bytes, 1, MSG_DONTWAIT)) X(recvmsg(pair[0], &message, 0)) \
  X(recvmmsg(pair[0], &batch, 1, 0, NULL)) X(send(pair[1], bytes, 1, 0)) \
  X(sendto(pair[1], bytes, 1, 0, NULL, 0)) X(sendmsg(pair[1], &message, 0)) \
  X(sendmmsg(pair[1], &batch, 1, 0)) X(accept(-1, NULL, NULL)) X(connect(-1, NULL, 0)) \
  X(close(-1)) X(close(dup(ends[0]))) X(open("/dev/null", O_RDONLY)) \
  X(openat(AT_FDCWD, "/dev/null", O_RDONLY)) X(creat("/dev/null", 0600)) \
  X(fcntl(file, F_SETLKW, &lock)) X(lockf(file, F_LOCK, 1)) X(fsync(file)) X(fdatasync(file)) \
  X(msync(NULL, 0, MS_SYNC)) X(msgrcv(-1, bytes, 1, 0, 0)) X(msgsnd(-1, bytes, 1, 0)) \
  X(mq_send(-1, bytes, 1, 0)) X(mq_receive(-1, bytes, 1, NULL)) \
  X(mq_timedsend(-1, bytes, 1, 0, &soon)) X(mq_timedreceive(-1, bytes, 1, NULL, &soon)) \
  X(poll(NULL, 0, 0)) X(ppoll(NULL, 0, &soon, NULL)) X(select(0, NULL, NULL, NULL, &at_once)) \
  X(pselect(0, NULL, NULL, NULL, &soon, NULL)) X(pause()) X(sigsuspend(&signals)) \
  X(epoll_wait(poller, (struct epoll_event*)bytes, 1, 0)) X(sigpause(SIGUSR1)) \
  X(sigwait(&signals, (int*)bytes)) X(sigwaitinfo(&signals, NULL)) \
  X(sigtimedwait(&signals, NULL, &soon)) X(nanosleep(&wrong, NULL)) X(sleep(0)) \
  X(clock_nanosleep(99, 0, &soon, NULL)) X(usleep(1)) X(tcdrain(-1)) X(wait(NULL)) \
  X(waitpid(-1, NULL, WNOHANG)) X(waitid(P_ALL, 0, (siginfo_t*)bytes, WEXITED)) X(system(NULL)) \
  X(sem_wait(&one)) X(sem_timedwait(&one, &soon)) X(fflush(out)) X(fgetc(in)) \
  X(fopen("/dev/null", "r")) X(tmpfile()) X(splice(-1, NULL, -1, NULL, 1, 0)) \
  X(pthread_join(pthread_self(), NULL)) X((pthread_testcancel(), 0))

#define NO_POINTS(X) \
  X(shutdown(-1, SHUT_WR)) X(fcntl(file, F_GETFL)) X(fcntl(file, F_SETLK, &lock)) \
  X(lockf(file, F_TLOCK, 1)) X(flock(file, LOCK_EX)) X(sendfile(ends[1], file, NULL, 1)) \
  X(sched_yield()) X(sem_trywait(&one)) X(sem_timedwait(&one, &wrong)) \
  X(pthread_tryjoin_np(ended, NULL)) X(fputs("x", out)) X(fflush(quiet)) X(dup2(-1, 3)) \
  X(fopen("/dev/null", "rc")) X(pthread_mutex_lock(&mutex))
// clang-format on

#define BODY(number, call) \
  case number:             \
    (void)!(long)(call);   \
    return NULL;

static void* run(void* which) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_cancel(pthread_self());
  read(ends[0], bytes, 0);  // not while it is disabled
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
#define BODY_OF(call) BODY(__COUNTER__, call)
#define COUNT_OF(call) +1
  switch ((long)which) {
    POINTS(BODY_OF)
    NO_POINTS(BODY_OF)
  }
  abort();
}

static void* nothing(void* unused) { return unused; }

int main(void) {
  enum { kPoints = 0 POINTS(COUNT_OF), kAll = kPoints NO_POINTS(COUNT_OF) };
  assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  file = memfd_create("file", 0);
  poller = epoll_create1(0);
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  sem_init(&one, 0, 1);
  write(ends[1], "abcd", 4);
  for (int i = 0; i < 4; ++i) send(pair[1], "abcd", 4, 0);
  out = fdopen(dup(file), "w");
  quiet = fopen("/dev/null", "wc");
  in = fdopen(dup(ends[0]), "r");
  fputs("x", out);
  fputs("x", quiet);
  pthread_create(&ended, NULL, nothing, NULL);
  for (long i = 0; i < kAll; ++i) {
    pthread_t thread;
    void* result;
    pthread_create(&thread, NULL, run, (void*)i);
    pthread_join(thread, &result);
    if ((result == PTHREAD_CANCELED) != (i < kPoints)) {
      printf("call %ld of %d points\n", i, kPoints);
      return 1;
    }
  }
}
