// SPDX-License-Identifier: Apache-2.0
//
// `raddle show`: how a run failed, as text: one column for each thread, time downwards, only the
// steps that matter (story.h), with source lines; then the verdict and the stacks. Engine side.
#pragma once

#include <string>

#include "facts/finding.h"
#include "report/event_file.h"
#include "report/names.h"

namespace raddle::report {

struct ShowOptions {
  int width = 100;
  bool colour = false;
  std::size_t steps_max = 200;
  std::string directory;  // source files with relative names lie below
};

// COLUMNS if it is a sensible number, else 100.
int show_width();

std::string text_show(const facts::Finding& finding, const EventFile& recording, Names& names,
                      const ShowOptions& options);

}  // namespace raddle::report
