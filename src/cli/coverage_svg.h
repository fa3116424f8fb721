// SPDX-License-Identifier: Apache-2.0
//
// The growth of coverage over runs as a picture that needs nothing else. Engine side; pure.
#pragma once

#include "cli/coverage_summary.h"

namespace raddle::cli {

// A curve for each criterion: the part of what is known that the first runs have covered.
std::string coverage_svg(const CoverageSummary& summary);

}  // namespace raddle::cli
