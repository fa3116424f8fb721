// SPDX-License-Identifier: Apache-2.0
// Bug: A pattern is changed while another thread makes a regular expression of it.
// EXPECT: kind=data-race within=20 stack=change
// SCHEDULES: 50
#include <mutex>
#include <regex>
#include <string>
#include <thread>

std::mutex guard;
std::string pattern = "a+";

void change() { pattern[1] = '*'; }

void compile() { std::regex made(pattern); }

int main() {
  std::thread a(change), b(compile);
  a.join();
  b.join();
}
