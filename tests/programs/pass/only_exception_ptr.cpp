// SPDX-License-Identifier: Apache-2.0
// Exceptions that threads share are freed by the C++ library, which counts who holds them unseen.
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::exception_ptr shared;
  std::thread thrower([&] {
    try {
      throw std::runtime_error("a message that is long enough for the heap, or so it should be");
    } catch (...) {
      shared = std::current_exception();
    }
  });
  thrower.join();
  auto look = [](std::exception_ptr mine) {
    try {
      std::rethrow_exception(mine);
    } catch (const std::runtime_error& error) {
      if (std::string(error.what()).empty()) std::terminate();
    }
  };
  std::thread one(look, shared), two(look, shared);
  shared = nullptr;
  one.join();
  two.join();
}
