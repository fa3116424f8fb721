// SPDX-License-Identifier: Apache-2.0
// An event loop hears of its child's end by SIGCHLD: the handler writes into a pipe that the loop
// polls. Nothing but the signal can end the wait.
// SCHEDULES: 20
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int news[2];

static void on_child(int number) {
  (void)number;
  int saved = errno;
  ssize_t written = write(news[1], "c", 1);
  assert(written == 1);
  errno = saved;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCHLD, &action, NULL);
  int made = pipe(news);
  assert(made == 0);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    usleep(20000);
    _exit(7);
  }
  struct pollfd file = {news[0], POLLIN, 0};
  int ready;
  do ready = poll(&file, 1, -1);
  while (ready < 0 && errno == EINTR);
  assert(ready == 1);
  int status = 0;
  assert(waitpid(child, &status, WNOHANG) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
