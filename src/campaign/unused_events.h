// SPDX-License-Identifier: Apache-2.0
//
// Events of the program's event schedules that no run has passed. Engine side; pure. An ordering
// whose right event never happens holds without saying anything, so a misspelt name would go
// unnoticed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wire/shared_block.h"

namespace raddle::campaign {

// A sentence for each schedule that has such events.
std::vector<std::string> unused_events(std::span<const wire::ScheduleUse> schedules);

}  // namespace raddle::campaign
