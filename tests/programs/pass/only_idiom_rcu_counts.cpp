// SPDX-License-Identifier: Apache-2.0
// Read-copy-update by counts: readers count themselves in one of two cells; the writer publishes,
// turns to the other cell twice, and frees the old version when each cell has been empty.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Settings {
  int width;
  int height;
};
std::atomic<Settings*> current{new Settings{1, 2}};
std::array<std::atomic<int>, 2> readers{};
std::atomic<int> side{0};

void read() {
  int mine = side.load();
  readers[mine].fetch_add(1);
  const Settings* settings = current.load();
  assert(settings->height == settings->width + 1);
  readers[mine].fetch_sub(1);
}

void wait_for_readers() {
  for (int turn = 0; turn < 2; ++turn) {
    int old = side.load();
    side.store(1 - old);
    while (readers[old].load() != 0) std::this_thread::yield();
  }
}

void update() {
  for (int i = 0; i < 2; ++i) {
    Settings* old = current.load();
    current.store(new Settings{old->width + 1, old->height + 1});
    wait_for_readers();
    old->height = -1;  // whoever still reads it, notices
    delete old;
  }
}

}  // namespace

int main() {
  std::thread writer(update);
  std::thread reader([] {
    read();
    read();
  });
  read();
  read();
  reader.join();
  writer.join();
  assert(current.load()->width == 3);
  delete current.load();
  return 0;
}
