// SPDX-License-Identifier: Apache-2.0
// Readers and writers by counts under a mutex: waiting writers go before new readers.
// SCHEDULES: 20
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable may_read;
std::condition_variable may_write;
int readers = 0;
int waiting_writers = 0;
bool writing = false;
int first_half = 0;
int second_half = 0;

void read_it() {
  {
    std::unique_lock lock(guard);
    may_read.wait(lock, [] { return !writing && waiting_writers == 0; });
    ++readers;
  }
  assert(first_half == second_half);
  std::lock_guard lock(guard);
  if (--readers == 0) may_write.notify_one();
}

void write_it() {
  {
    std::unique_lock lock(guard);
    ++waiting_writers;
    may_write.wait(lock, [] { return !writing && readers == 0; });
    --waiting_writers;
    writing = true;
  }
  ++first_half;
  ++second_half;
  std::lock_guard lock(guard);
  writing = false;
  if (waiting_writers > 0)
    may_write.notify_one();
  else
    may_read.notify_all();
}

}  // namespace

int main() {
  std::thread writers[] = {std::thread(write_it), std::thread(write_it)};
  std::thread reader([] {
    read_it();
    read_it();
  });
  read_it();
  for (auto& writer : writers) writer.join();
  reader.join();
  read_it();
  assert(first_half == 2 && second_half == 2);
  return 0;
}
