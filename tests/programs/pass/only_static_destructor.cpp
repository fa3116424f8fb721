// SPDX-License-Identifier: Apache-2.0
// A global destructor stops and joins a thread that is still running when main returns.
#include <atomic>
#include <cstdlib>
#include <semaphore>
#include <thread>

namespace {

class Service {
 public:
  Service() = default;
  ~Service() {
    stop_.release();
    if (thread_.joinable()) thread_.join();
    if (!stopped_.load()) std::_Exit(1);
  }
  void start() { thread_ = std::thread(&Service::run, this); }

 private:
  void run() {
    stop_.acquire();
    stopped_.store(true);
  }

  std::binary_semaphore stop_{0};
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

Service service;

}  // namespace

int main() { service.start(); }
