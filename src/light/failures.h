// SPDX-License-Identifier: Apache-2.0
//
// What happens to a failed check and to a schedule that cannot be carried out. Inside the program
// under test (RADDLE_LIGHT).
//
// With a handler (raddle_on_fail) it is the handler's; without, a failed check is printed and makes
// the exit code 1, and a schedule that cannot be carried out ends the process.
#pragma once

namespace raddle::light {

void fail_check(const char* file, int line, const char* message);
// Returns only if there is a handler.
void fail_schedule(const char* message);

}  // namespace raddle::light
