// SPDX-License-Identifier: Apache-2.0
// Fixed: the event is notified under its mutex, which the waiter needs before it frees it.
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
    pthread_cond_signal(&event->changed);
    pthread_mutex_unlock(&event->mutex);
  });
  pthread_mutex_lock(&event->mutex);
  while (!event->set) pthread_cond_wait(&event->changed, &event->mutex);
  pthread_mutex_unlock(&event->mutex);
  delete event;
  setter.join();
}
