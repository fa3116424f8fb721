// SPDX-License-Identifier: Apache-2.0
//
// Where the user's code carried out an operation of a run. Engine side; pure. The operation's own
// site may lie in a library function (at -O0 even std::mutex::lock is one): then its nearest caller
// in the user's code, if the run recorded call stacks.
#pragma once

#include "facts/run.h"
#include "report/names.h"

namespace raddle::report {

// The last operation of the thread at this site on this place.
struct OpKey {
  ThreadId thread;
  SiteId site;
  wire::Location where;
};

// A frame of the user's code, or the best there is.
facts::Frame op_frame(const facts::Run& run, const OpKey& op, Names& names);

}  // namespace raddle::report
