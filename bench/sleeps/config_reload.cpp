// SPDX-License-Identifier: Apache-2.0
//
// A configuration that is reloaded while requests are served: a request works with the one it began
// with; the old one is gone when its last request is. A test of bench/sleeps.
#include <memory>
#include <mutex>
#include <string>

#include "sleeps.h"

struct Config {
  std::string backend;
};

class Server {
 public:
  explicit Server(std::string backend) { reload(std::move(backend)); }
  void reload(std::string backend) {
    auto fresh = std::make_shared<Config>(Config{std::move(backend)});
    std::lock_guard lock(mutex_);
    config_ = std::move(fresh);
  }
  std::shared_ptr<const Config> config() {
    std::lock_guard lock(mutex_);
    return config_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Config> config_;
};

SCHEDULE("serving -> reloading, reloaded -> served, end@worker -> looking")

void test() {
  Server server("old");
  std::weak_ptr<const Config> old = server.config();
  std::string used;
  std::thread worker([&] {
    raddle::name_thread("worker");
    const auto config = server.config();
    RADDLE_EVENT("serving");
    SLEEP(15);  // the configuration changes
    RADDLE_EVENT("served");
    used = config->backend;
  });
  SLEEP(5);  // the request is being served
  RADDLE_EVENT("reloading");
  server.reload("new");
  CHECK(server.config()->backend == "new");
  CHECK(!old.expired());
  RADDLE_EVENT("reloaded");
  SLEEP(15);
  RADDLE_EVENT("looking");
  CHECK(old.expired());
  worker.join();
  CHECK(used == "old");
}
