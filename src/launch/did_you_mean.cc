// SPDX-License-Identifier: Apache-2.0
//
// Edit distance with swaps (the restricted form of Damerau, 1964). Engine side; pure.
#include "launch/did_you_mean.h"

#include <algorithm>

namespace raddle::launch {

unsigned edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the usual table: a swap of neighbours looks two rows back.
  std::vector<unsigned> before_last(to.size() + 1);
  std::vector<unsigned> last(to.size() + 1);
  std::vector<unsigned> row(to.size() + 1);
  for (unsigned j = 0; j <= to.size(); ++j) row[j] = j;
  for (unsigned i = 1; i <= from.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (unsigned j = 1; j <= to.size(); ++j) {
      unsigned replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  unsigned best_distance = static_cast<unsigned>(word.size()) / 3 + 1;
  for (const std::string& candidate : candidates) {
    // A name cut short is a likelier slip than as many wrong letters.
    bool cut = word.size() >= 3 && std::string_view(candidate).starts_with(word);
    unsigned distance = cut ? 1 : edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best = nearest(word, candidates);
  return best.empty() ? best : ", did you mean " + best + "?";
}

}  // namespace raddle::launch
