// SPDX-License-Identifier: Apache-2.0
//
// See iroot.h. Engine side.
#include "analysis/iroot.h"

#include <algorithm>
#include <tuple>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

// Idiom 5 is the same read from either of its dependencies.
void put_smaller_first(IRoot& root) {
  auto key = [](const IRoot::Part& part) { return std::tuple(part.site, part.kind); };
  const auto& p = root.parts;
  if (std::tuple(key(p[2]), key(p[3])) < std::tuple(key(p[0]), key(p[1]))) {
    std::swap(root.parts[0], root.parts[2]);
    std::swap(root.parts[1], root.parts[3]);
  }
}

}  // namespace

bool overlap(const SharedAccess& a, const SharedAccess& b) {
  if (a.where.region_id != b.where.region_id) return false;
  std::uint64_t a_begin = a.where.offset, b_begin = b.where.offset;
  return a_begin < b_begin + std::max<std::uint64_t>(b.size, 1) &&
         b_begin < a_begin + std::max<std::uint64_t>(a.size, 1);
}

std::uint64_t IRoot::hash() const {
  std::uint64_t hash = idiom;
  for (unsigned i = 0; i < count; ++i)
    hash = mix64(hash * 0x9e3779b97f4a7c15ull +
                 ((std::uint64_t{parts[i].site} << 8) | static_cast<std::uint8_t>(parts[i].kind)));
  return hash;
}

void IRootSet::clear() {
  roots_.clear();
  known_.clear();
  truncated_ = false;
}

bool IRootSet::add(IRoot root) {
  if (root.idiom == 5) put_smaller_first(root);
  bool& known = known_[root.hash()];
  if (known) return false;
  if (roots_.size() == kRootsMax) {
    truncated_ = true;
    return false;
  }
  known = true;
  roots_.push_back(root);
  return true;
}

}  // namespace raddle::analysis
