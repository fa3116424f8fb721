// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value or an operating error. Engine side only; raddle's own code never throws.
// An Error carries the sentence that the user reads and the exit code that the command returns.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"

namespace raddle {

inline constexpr int kExitUsage = 2;      // bad usage or input
inline constexpr int kExitCannotRun = 3;  // the program cannot be run under control
inline constexpr int kExitDiverged = 4;   // replay: the schedule no longer fits
inline constexpr int kExitInternal = 70;  // a bug in raddle

struct Error {
  std::string message;
  int exit_code = kExitUsage;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() {
    RADDLE_CHECK(value_.has_value());
    return *value_;
  }
  const T& operator*() const {
    RADDLE_CHECK(value_.has_value());
    return *value_;
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  const Error& error() const {
    RADDLE_CHECK(!value_.has_value());
    return error_;
  }

 private:
  std::optional<T> value_;
  Error error_;
};

// A Result without a value: what an operation that only may fail returns.
struct Done {};
using Status = Result<Done>;

}  // namespace raddle
