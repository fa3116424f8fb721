// SPDX-License-Identifier: Apache-2.0
//
// The version of the tool, as CMakeLists.txt states it. Engine side.
#pragma once

#ifndef RADDLE_VERSION
#define RADDLE_VERSION "0.1.0"
#endif

namespace raddle::cli {

inline constexpr const char* kVersion = RADDLE_VERSION;

}  // namespace raddle::cli
