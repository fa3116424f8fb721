// SPDX-License-Identifier: Apache-2.0
//
// From a run to a finding: kind, message, site, threads. Engine side. A run that ended as it should
// is no finding, and neither is one that raddle itself cut or lost.
#pragma once

#include <optional>
#include <string>

#include "facts/evidence.h"
#include "facts/finding.h"
#include "facts/run.h"
#include "report/names.h"

namespace raddle::report {

struct RunContext {
  const facts::Run& run;
  Names& names;
  int expect_exit = 0;
  std::string directory;          // the campaign's: files below it are named relative to it
  std::string error_output = {};  // what the run printed to its standard error
};

// The finding that the run's own end is, if it is one. Number, schedule index and directory are the
// caller's to fill in, here and below.
std::optional<facts::Finding> describe(const RunContext& context);

// What a detector has to say about its evidence. `finding` has the state of the run's threads and
// the place of the evidence's thread; filled in are a message, and whatever else is to be another:
// site, threads, variable, and the identity unless the site is one.
using EvidenceWords = void(const RunContext& context, const facts::Evidence& evidence,
                           facts::Finding& finding);

// The finding that a detector made of the run. Without words it is said by kind and place.
facts::Finding describe_evidence(const RunContext& context, const facts::Evidence& evidence,
                                 EvidenceWords* words);

// The finding that a run is which should not have been possible.
facts::Finding describe_feasible(const RunContext& context);

// The finding that the user's --check command made of the run by its exit code.
facts::Finding describe_check(const RunContext& context, const std::string& command, int exit_code);

}  // namespace raddle::report
