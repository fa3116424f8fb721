// SPDX-License-Identifier: Apache-2.0
//
// How every command says that it could not do its job. Engine side.
#pragma once

#include "base/result.h"

namespace raddle::cli {

// Prints "raddle: error: ..." to standard error and returns the exit code.
int fail(const Error& error);

}  // namespace raddle::cli
