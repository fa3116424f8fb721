// SPDX-License-Identifier: Apache-2.0
//
// A configuration that is replaced while others read it: a reader announces what it reads, and what
// is announced is not freed. The bug: between reading the pointer and announcing it, the
// configuration may have been replaced and freed. The fix: the reader looks again after it has
// announced. A test of bench/gambit.
#include <array>
#include <atomic>
#include <vector>

#include "gambit.h"

namespace {

struct Config {
  explicit Config(int its_version) : version(its_version), copy(its_version) {}
  std::atomic<int> version, copy;
};

constexpr int kReaders = 2;

template <bool fixed>
class ConfigHolder {
 public:
  ConfigHolder() : current_(new Config(1)) {}
  ~ConfigHolder() {
    delete current_.load();
    for (Config* each : retired_) delete each;
  }

  int read(std::size_t reader) {
    Config* config = current_.load();
    for (;;) {
      announced_[reader].store(config);
      if (!fixed) break;
      Config* again = current_.load();
      if (again == config) break;
      config = again;
    }
    const int version = config->version.load();
    RADDLE_ASSERT(config->copy.load() == version);
    announced_[reader].store(nullptr);
    return version;
  }

  // Of one writer.
  void replace(int version) {
    retired_.push_back(current_.exchange(new Config(version)));
    std::vector<Config*> kept;
    for (Config* each : retired_)
      if (is_announced(each))
        kept.push_back(each);
      else
        delete each;
    retired_ = kept;
  }

 private:
  bool is_announced(const Config* config) {
    for (std::atomic<Config*>& each : announced_)
      if (each.load() == config) return true;
    return false;
  }

  std::atomic<Config*> current_;
  std::array<std::atomic<Config*>, kReaders> announced_{};
  std::vector<Config*> retired_;
};

template <bool fixed>
void test() {
  ConfigHolder<fixed> holder;
  auto read = [&](std::size_t reader) {
    const int first = holder.read(reader);
    RADDLE_ASSERT(holder.read(reader) >= first);
  };
  gambit::Thread one([&] { read(0); });
  gambit::Thread two([&] { read(1); });
  holder.replace(2);
  holder.replace(3);
}

}  // namespace

const gambit::Test gambit::hazard_pointer{"hazard_pointer", "use-after-free",
                                          "freed between reading and announcing", test<false>,
                                          test<true>};
