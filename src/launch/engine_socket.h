// SPDX-License-Identifier: Apache-2.0
//
// EngineSocket: where processes of the program call the engine once they have something to say.
// Engine side. So a run has no descriptor that its program could see, close or hand on.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>

#include "launch/unique_fd.h"

namespace raddle::launch {

class EngineSocket {
 public:
  // False if there is none, which a system may refuse, or its address is too long.
  bool open(int callers_max, std::size_t address_max);
  const std::string& address() const { return address_; }

  struct Call {
    UniqueFd channel;   // not valid: the first message was not as expected
    pid_t process = 0;  // who the kernel says it is
  };
  // The next one who has called, and his first message, of exactly `size` bytes. Nothing: nobody
  // has. With `patience_ms` he is waited for.
  std::optional<Call> accept(void* message, std::size_t size, int patience_ms = 0) const;

 private:
  UniqueFd listener_;
  std::string address_;
};

}  // namespace raddle::launch
