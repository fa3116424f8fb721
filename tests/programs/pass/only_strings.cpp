// SPDX-License-Identifier: Apache-2.0
//
// Strings and vectors that grow, are moved between threads, printed and sorted: half of the copies
// are made in instrumented code, half in libstdc++. Nothing is reported.
// SCHEDULES: 50
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex guard;
std::condition_variable filled;
std::deque<std::string> queue;
std::map<std::string, std::vector<int>> seen;
char last[32];

void put(std::string text) {
  std::lock_guard hold(guard);
  std::snprintf(last, sizeof last, "%s", text.c_str());
  queue.push_back(std::move(text));
  filled.notify_one();
}

void produce(int first) {
  std::string text = "short";
  for (int i = first; i < first + 2; ++i) {
    text += ", and longer " + std::to_string(i);
    put(text);
    std::ostringstream stream;
    stream << "number " << i;
    put(stream.str());
  }
}

void consume(int count) {
  auto copies = std::make_shared<std::vector<std::string>>();
  for (int i = 0; i < count; ++i) {
    std::unique_lock hold(guard);
    filled.wait(hold, [] { return !queue.empty(); });
    std::string text = std::move(queue.front());
    queue.pop_front();
    seen[text.substr(0, 6)].push_back(i);
    assert(std::strlen(last) > 0);
    copies->push_back(text);
    copies->insert(copies->begin(), text + text);
  }
  std::sort(copies->begin(), copies->end());
  assert(copies->front() <= copies->back() && copies->size() == 2u * static_cast<unsigned>(count));
}

}  // namespace

int main() {
  std::thread one(produce, 0), two(produce, 10), three(consume, 4);
  consume(4);
  one.join();
  two.join();
  three.join();
  std::printf("%zu kinds\n", seen.size());
  return seen.size() == 2 ? 0 : 1;
}
