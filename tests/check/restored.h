// SPDX-License-Identifier: Apache-2.0
//
// Bodies of tests that leave global variables changed, for both test frameworks. Each fails, or is
// told of, unless every run finds the variables as the program made them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Of restored_library.cpp.
int next_of_library();

namespace restored {

inline int g_count;
inline std::vector<int> g_list;
inline std::map<int, std::string> g_map;
inline std::once_flag g_once;
inline int g_once_calls;

struct Noisy {
  int value = 1;
  Noisy() { value = 2; }
  ~Noisy() { std::puts("a static object is destroyed"); }
};
inline int use_noisy() {
  static Noisy noisy;
  return noisy.value++;
}

// What is wrong, "" if nothing is.
inline std::string count_everything() {
  static std::string text = "fresh";
  std::thread other([] { ++g_count; });
  other.join();
  g_list.insert(g_list.end(), 100, 1);
  g_map[static_cast<int>(g_map.size())] = "a text that is too long to be kept inside of its object";
  std::call_once(g_once, [] { ++g_once_calls; });
  text += "!";
  if (g_count != 1) return "g_count";
  if (g_list.size() != 100 || g_map.size() != 1) return "a container";
  if (g_once_calls != 1) return "std::call_once";
  if (text != "fresh!" || use_noisy() != 2) return "a static local";
  if (next_of_library() != 1) return "a library";
  return "";
}

// Only some schedules leave something behind.
inline std::atomic<int> g_turn, g_late;
inline int leave_seldom() {
  int found = g_late.load() + g_turn.load();
  std::thread other([] { g_turn.store(1); });
  if (g_turn.load() == 1) g_late.store(1);
  other.join();
  return found;
}

// Only the first use is wrong, and only in some schedules.
inline std::atomic<int*> g_lazy;
inline int* lazy() {
  if (g_lazy.load() == nullptr) g_lazy.store(new int(1));
  return g_lazy.load();
}
inline bool same_for_both() {
  int* theirs = nullptr;
  std::thread other([&] { theirs = lazy(); });
  int* ours = lazy();
  other.join();
  return ours == theirs;
}

// The kernel writes to memory, too; which of many pages depends on the schedule.
inline char g_buffer[1 << 20];
inline std::atomic<int> g_first;
inline bool read_somewhere() {
  for (int page = 0; page < 256; page += 85)
    if (g_buffer[page * 4096 + 5] != 0) return false;
  std::thread other([] {
    int none = 0;
    g_first.compare_exchange_strong(none, 1);
  });
  int none = 0;
  g_first.compare_exchange_strong(none, 2);
  other.join();
  int file = open("/proc/self/exe", O_RDONLY);
  bool was_read = read(file, g_buffer + 85 * 4096 * g_first.load() + 4, 2) == 2;
  close(file);
  return was_read;
}

// Refers to memory from before the test.
inline std::vector<int> g_filled = {1, 2, 3};
inline void fill_further() {
  std::thread other([] { ++g_count; });
  other.join();
  g_filled.push_back(4);
}

}  // namespace restored
