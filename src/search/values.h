// SPDX-License-Identifier: Apache-2.0
//
// Values of options, from text. Engine side; pure. Every error names the option and says what it
// expects.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "facts/finding_kind.h"
#include "wire/plan.h"

namespace raddle::search {

// "500ms", "30s", "2m", "1h", "1.5s"; a bare number counts seconds. Positive.
Result<std::chrono::milliseconds> parse_duration(const std::string& option,
                                                 const std::string& text);

// A whole decimal number in [min, max].
Result<std::uint64_t> parse_number(const std::string& option, const std::string& text,
                                   std::uint64_t min, std::uint64_t max);

// Bytes: "512M", "2G", "64K"; a bare number counts bytes. Positive.
Result<std::uint64_t> parse_size(const std::string& option, const std::string& text);

Result<wire::Points> parse_points(const std::string& text, const char* option = "--points");
Result<wire::Timers> parse_timers(const std::string& text, const char* option = "--timers");
// Whether races are looked for; `fail` tells whether they count.
Result<bool> parse_races(const std::string& text, bool& fail, const char* option = "--races");
// Whether those inside the C++ library are reported.
Result<bool> parse_library_races(const std::string& text, const char* option = "--library-races");
// Warnings that count, as facts::Failing has them: their names separated by commas, or "none".
Result<std::vector<facts::FindingKind>> parse_fail_on(const std::string& text,
                                                      const char* option = "--fail-on");
// Whether violations of learned atomicity are looked for; adds them to those that count if they do.
Result<bool> parse_atomicity(const std::string& text, std::vector<facts::FindingKind>& fail_on,
                             const char* option = "--atomicity");

}  // namespace raddle::search
