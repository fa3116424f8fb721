// SPDX-License-Identifier: Apache-2.0
//
// Count: how many properties there are. A natural number, exact below 2^128, beyond that its
// logarithm: numbers of interleavings grow beyond every machine word. Engine side; pure.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::analysis {

class Count {
 public:
  using Wide = unsigned __int128;

  constexpr Count(std::uint64_t value = 0) : value_(value) {}  // implicit: every number is one
  static Count binomial(std::uint64_t n, std::uint64_t k);

  Count& operator+=(const Count& other);
  Count& operator*=(const Count& other);
  friend Count operator+(Count a, const Count& b) { return a += b; }
  friend Count operator*(Count a, const Count& b) { return a *= b; }

  bool exact() const { return log2_ == 0; }
  Wide value() const { return value_; }  // requires: exact()
  double log2() const;                   // of 0: 0

  // Exact numbers come before the others.
  friend bool operator<(const Count& a, const Count& b);
  friend bool operator==(const Count& a, const Count& b) = default;

  // "63063000", or "about 2^211.4".
  std::string text() const;

 private:
  static Count beyond(double log2);

  Wide value_ = 0;
  double log2_ = 0;  // invariant: 0, or at least 128, and then value_ is 0
};

}  // namespace raddle::analysis
