// SPDX-License-Identifier: Apache-2.0
//
// Whole files. Engine side.
#pragma once

#include <string>

#include "base/result.h"

namespace raddle::cli {

Result<std::string> read_text(const std::string& path);

// The file appears complete or not at all: written beside its place, then renamed.
Status write_text(const std::string& path, const std::string& text);

}  // namespace raddle::cli
