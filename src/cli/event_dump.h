// SPDX-License-Identifier: Apache-2.0
//
// A file to which the raw events of every run are appended, for tests of determinism: per run the
// number of its events as eight bytes, then the events. Engine side.
#pragma once

#include <stdio.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "facts/run.h"

namespace raddle::cli {

class EventDump {
 public:
  // An empty path dumps nothing.
  static Result<EventDump> open(const std::string& path);
  void add(const facts::Run& run);

 private:
  std::shared_ptr<FILE> file_;
};

}  // namespace raddle::cli
