// SPDX-License-Identifier: Apache-2.0
//
// Whole files, read and durably written, with errors that name the file. Engine side.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace raddle::report {

Result<std::string> read_file(const std::string& path);

// Creates the file; its contents are on the disk when this returns.
Status write_file(const std::string& path, std::string_view contents);

// Makes creations and renamings inside the folder durable.
Status sync_folder(const std::string& path);

// The folder and those above it.
Status make_folders(const std::string& path);

}  // namespace raddle::report
