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

// Whether something can be created in the directory; found out by trying, because permissions are
// not all that counts. Nothing remains.
Status check_can_create_in(const std::string& directory);

}  // namespace raddle::cli
