// SPDX-License-Identifier: Apache-2.0
//
// Which frames belong to the user, and how a frame is written. Engine side; pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "facts/finding.h"

namespace raddle::report {

// Not the C and C++ library, not the compiler's headers, not raddle's runtime.
bool is_user_code(const facts::Frame& frame);

// The innermost frame in the user's code, one with a source line if there is any; null if none.
const facts::Frame* user_frame(std::span<const facts::Frame> frames);

// The user's frame, else the innermost one, else an empty frame.
facts::Frame best_frame(std::span<const facts::Frame> frames);

// "bank.cpp:12"; without debug information the function, without symbols "bank+0x1a42"; "" for an
// empty frame.
std::string place_text(const facts::Frame& frame);

// "transfer (bank.cpp:12)", as much of it as is known.
std::string frame_text(const facts::Frame& frame);

// What a place is known by in other runs and builds: "file:line:function" without numbers that
// change from run to run.
std::string site_identity(const facts::Frame& frame);

// The path relative to the directory if it lies below, else as it is.
std::string path_below(const std::string& path, const std::string& directory);

}  // namespace raddle::report
