// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people read them. Engine side; pure.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::report {

// 1234567 as "1,234,567".
std::string group_digits(std::uint64_t number);

}  // namespace raddle::report
