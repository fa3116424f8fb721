// SPDX-License-Identifier: Apache-2.0
// Fixed: the viewer looks at the frame while it holds the lock.
// SCHEDULES: 500
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Frame {
  std::vector<unsigned char> pixels = std::vector<unsigned char>(1 << 20, 128);
};

std::mutex guard;
Frame* current = new Frame;
std::atomic<int> seen;

void decode() {
  std::lock_guard<std::mutex> hold(guard);
  delete current;
  current = nullptr;
}

void view() {
  std::lock_guard<std::mutex> hold(guard);
  if (current == nullptr) return;
  seen = current->pixels[4096] + current->pixels[500'000];
}

}  // namespace

int main() {
  std::thread decoder(decode), viewer(view);
  decoder.join();
  viewer.join();
  return seen == -1;
}
