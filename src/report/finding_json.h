// SPDX-License-Identifier: Apache-2.0
//
// Findings and campaign results as JSON: the output of --json, which scripts depend on, and
// finding.json of a stored finding, which is read back. Engine side.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "facts/campaign_result.h"
#include "facts/finding.h"

namespace raddle::report {

// Bumped when a key changes its meaning or goes; new keys may appear at any time.
inline constexpr int kJsonSchema = 1;

// One object, indented, with a line end. Bytes that are not UTF-8 are replaced.
std::string campaign_json(const facts::CampaignResult& result);
std::string finding_json(const facts::Finding& finding);

// `name` is what error messages call the text.
Result<facts::Finding> parse_finding_json(std::string_view text, const std::string& name);

}  // namespace raddle::report
