// SPDX-License-Identifier: Apache-2.0
//
// The run ends while exceptions are in flight, caught and kept.
#include <exception>
#include <stdexcept>
#include <string>

#include "fresh.h"

namespace {

std::exception_ptr kept;
void look() {
  FRESH(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr && !kept);
  try {
    throw std::runtime_error("first");
  } catch (const std::exception& error) {
    FRESH(std::string(error.what()) == "first");
    FRESH(std::uncaught_exceptions() == 0);
  }
}
struct Ends {
  ~Ends() {
    FRESH(std::uncaught_exceptions() == 1);
    try {
      throw 7;
    } catch (int) {
      printf("ends in flight\n");
      exit(fresh::end(fresh::how));
    }
  }
};
void leave(int order) {
  try {
    throw std::logic_error(std::string(500, 'k'));
  } catch (...) {
    kept = std::current_exception();
  }
  std::set_terminate([] { _exit(8); });
  if (order == 12) {
    try {
      Ends ends;
      throw std::runtime_error("in flight");
    } catch (...) {
    }
  }
  try {
    throw 5;
  } catch (int) {
    exit(fresh::end(fresh::how));
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
