// SPDX-License-Identifier: Apache-2.0
//
// Errors on standard error. Engine side.
#include "cli/failure.h"

#include <fmt/core.h>
#include <stdio.h>

namespace raddle::cli {

int fail(const Error& error) {
  fflush(stdout);
  fmt::print(stderr, "raddle: error: {}\n", error.message);
  return error.exit_code;
}

}  // namespace raddle::cli
