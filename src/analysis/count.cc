// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that never wraps around. Engine side; pure.
#include "analysis/count.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace raddle::analysis {
namespace {

using Wide = Count::Wide;
constexpr double kExactBits = 128;

std::uint64_t common_divisor(Wide a, std::uint64_t b) {
  return std::gcd(static_cast<std::uint64_t>(a % b), b);
}

double log2_binomial(std::uint64_t n, std::uint64_t k) {
  auto log_factorial = [](std::uint64_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return (log_factorial(n) - log_factorial(k) - log_factorial(n - k)) / std::log(2.0);
}

}  // namespace

Count Count::beyond(double log2) {
  Count count;
  count.log2_ = std::max(log2, kExactBits);
  return count;
}

Count Count::binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  Wide value = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    // value is C(n - k + i - 1, i - 1). Divided before it is multiplied, so that nothing in between
    // is larger than the next of these, which are no larger than the result.
    std::uint64_t shared = common_divisor(value, i);
    Wide factor = (n - k + i) / (i / shared);
    if (__builtin_mul_overflow(value / shared, factor, &value)) return beyond(log2_binomial(n, k));
  }
  Count count;
  count.value_ = value;
  return count;
}

Count& Count::operator+=(const Count& other) {
  Wide sum = 0;
  if (exact() && other.exact() && !__builtin_add_overflow(value_, other.value_, &sum)) {
    value_ = sum;
    return *this;
  }
  double larger = std::max(log2(), other.log2());
  double smaller = std::min(log2(), other.log2());
  return *this = beyond(larger + std::log2(1 + std::exp2(smaller - larger)));
}

Count& Count::operator*=(const Count& other) {
  if (*this == Count() || other == Count()) return *this = Count();
  Wide product = 0;
  if (exact() && other.exact() && !__builtin_mul_overflow(value_, other.value_, &product)) {
    value_ = product;
    return *this;
  }
  return *this = beyond(log2() + other.log2());
}

double Count::log2() const {
  if (!exact()) return log2_;
  return value_ == 0 ? 0 : static_cast<double>(std::log2(static_cast<long double>(value_)));
}

bool operator<(const Count& a, const Count& b) {
  if (a.exact() && b.exact()) return a.value_ < b.value_;
  return a.log2_ < b.log2_;
}

std::string Count::text() const {
  if (!exact()) return fmt::format("about 2^{:.1f}", log2_);
  return fmt::format("{}", value_);
}

}  // namespace raddle::analysis
