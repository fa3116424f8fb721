// SPDX-License-Identifier: Apache-2.0
// Fixed: both threads take the table lock before the log lock.
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

std::shared_mutex table_guard;
std::mutex log_guard;
int table = 1;
int log_lines = 0;

void report() {
  std::shared_lock table_lock(table_guard);
  std::lock_guard log_lock(log_guard);
  log_lines += table;
}

void replace() {
  std::unique_lock table_lock(table_guard);
  std::lock_guard log_lock(log_guard);
  table += 1;
  log_lines += 1;
}

}  // namespace

int main() {
  std::thread reader(report);
  std::thread writer(replace);
  reader.join();
  writer.join();
  return log_lines >= 2 ? 0 : 1;
}
