// SPDX-License-Identifier: Apache-2.0
//
// See numbers.h.
#include "report/numbers.h"

namespace raddle::report {

std::string group_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace raddle::report
