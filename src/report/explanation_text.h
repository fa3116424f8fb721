// SPDX-License-Identifier: Apache-2.0
//
// Explanations as text and as JSON. Engine side.
#pragma once

#include <string>

#include "facts/explanation.h"

namespace raddle::report {

// Source files with relative names lie below `directory`.
std::string explanation_text(const facts::Explanation& explanation, const std::string& directory);

// One object, indented, with a line end.
std::string explanation_json(const facts::Explanation& explanation);

}  // namespace raddle::report
