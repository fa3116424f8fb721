// SPDX-License-Identifier: Apache-2.0
//
// What a campaign tells a person at its end. Engine side; pure.
#pragma once

#include <string>

#include "facts/campaign_result.h"

namespace raddle::cli {

// `out_option` is what has to be repeated to find the findings again, e.g. " --out DIR", or empty.
std::string finding_text(const facts::Finding& finding, const std::string& out_option);

// One line: kind, message, place, directory.
std::string finding_line(const facts::Finding& finding);

// The whole summary, several lines.
std::string summary_text(const facts::CampaignResult& result, const std::string& out_option,
                         bool interrupted);

}  // namespace raddle::cli
