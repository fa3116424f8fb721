// SPDX-License-Identifier: Apache-2.0
//
// Guesses what a mistyped name was meant to be. Engine side; pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace raddle::launch {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
unsigned edit_distance(std::string_view from, std::string_view to);

// The candidate nearest to `word`, or an empty string when none is near: at most a third of the
// word may be wrong.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// ", did you mean X?" or an empty string, to be appended to a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace raddle::launch
