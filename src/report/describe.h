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

// The finding that an analysis made of the run.
facts::Finding describe_evidence(const RunContext& context, const facts::Evidence& evidence);

// The finding that the user's --check command made of the run by its exit code.
facts::Finding describe_check(const RunContext& context, const std::string& command, int exit_code);

// Equal for findings that are the same to the user: kind and places in the code, not numbers of
// threads or of runs.
std::string signature(const facts::Finding& finding);

}  // namespace raddle::report
