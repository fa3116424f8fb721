// SPDX-License-Identifier: Apache-2.0
//
// A log that is rotated while a writer is at work: lines before go into the old file, lines after
// into the new one, none is lost. A test of bench/sleeps.
#include <mutex>
#include <string>
#include <vector>

#include "sleeps.h"

class Log {
 public:
  Log() : files_(1) {}
  void write(const std::string& line) {
    std::lock_guard lock(mutex_);
    files_.back().push_back(line);
  }
  void rotate() {
    std::lock_guard lock(mutex_);
    files_.emplace_back();
  }
  std::vector<std::vector<std::string>> files() {
    std::lock_guard lock(mutex_);
    return files_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::string>> files_;
};

SCHEDULE(
    "wrote#2 -> rotating1, rotated1 -> writing#3, wrote#3 -> rotating2, rotated2 -> writing#4,"
    "wrote#4 -> looking")

void test() {
  Log log;
  std::thread writer([&] {
    for (int line = 1; line <= 4; ++line) {
      RADDLE_EVENT("writing");
      log.write(std::to_string(line));
      RADDLE_EVENT("wrote");
      SLEEP(line == 1 ? 0 : 10);
    }
  });
  SLEEP(5);  // two lines are out
  RADDLE_EVENT("rotating1");
  log.rotate();
  RADDLE_EVENT("rotated1");
  SLEEP(10);  // one more
  RADDLE_EVENT("rotating2");
  log.rotate();
  RADDLE_EVENT("rotated2");
  SLEEP(10);
  RADDLE_EVENT("looking");
  const auto files = log.files();
  CHECK((files == std::vector<std::vector<std::string>>{{"1", "2"}, {"3"}, {"4"}}));
  writer.join();
}
