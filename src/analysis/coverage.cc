// SPDX-License-Identifier: Apache-2.0
//
// What identifies a property. Engine side; pure.
#include "analysis/coverage.h"

namespace raddle::analysis {

std::uint64_t property_hash(std::string_view criterion, std::uint8_t form,
                            std::span<const PropertyPart> parts) {
  std::uint64_t hash = form;
  for (char c : criterion) hash = add_to_hash(hash, static_cast<unsigned char>(c));
  for (const PropertyPart& part : parts) {
    hash = add_to_hash(hash, part.site);
    hash = add_to_hash(hash, (std::uint64_t{part.thread} << 32) | (std::uint64_t{part.nth} << 8) |
                                 static_cast<std::uint64_t>(part.kind));
  }
  return hash;
}

}  // namespace raddle::analysis
