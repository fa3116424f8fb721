// SPDX-License-Identifier: Apache-2.0
// Bug: the waiter frees the event as soon as it is set, while the other has still to notify it.
// EXPECT: kind=use-after-free within=500 message~"T1 notifies a cond.* which is freed"
#include <pthread.h>

#include <cstdlib>
#include <thread>

struct Event {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool set = false;
};

int main() {
  auto* event = new Event;
  std::thread setter([event] {
    pthread_mutex_lock(&event->mutex);
    event->set = true;
    pthread_mutex_unlock(&event->mutex);
    pthread_cond_signal(&event->changed);
  });
  pthread_mutex_lock(&event->mutex);
  while (!event->set) pthread_cond_wait(&event->changed, &event->mutex);
  pthread_mutex_unlock(&event->mutex);
  delete event;
  setter.join();
}
