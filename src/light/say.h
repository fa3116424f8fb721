// SPDX-License-Identifier: Apache-2.0
//
// Messages of the light library: one write to standard error each, without stdio, whose locks
// another thread may hold. Inside the program under test (RADDLE_LIGHT).
#pragma once

#include <string_view>

namespace raddle::light {

void say(std::string_view text);

}  // namespace raddle::light
