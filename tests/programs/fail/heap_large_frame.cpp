// SPDX-License-Identifier: Apache-2.0
// Bug: the decoder gives its frame back while the viewer may still look at it. A block of this size
// goes back to the system at once, so the viewer sees zeros instead of a crash.
// EXPECT: kind=use-after-free within=100 message~"freed by T1" stack=view
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
  const unsigned char* pixels = nullptr;
  {
    std::lock_guard<std::mutex> hold(guard);
    if (current == nullptr) return;
    pixels = current->pixels.data();
  }
  seen = pixels[4096] + pixels[500'000];
}

}  // namespace

int main() {
  std::thread decoder(decode), viewer(view);
  decoder.join();
  viewer.join();
  return seen == -1;
}
