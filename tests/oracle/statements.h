// SPDX-License-Identifier: Apache-2.0
//
// Operations as C statements: registers are locals r0.. of the function, objects are globals with a
// prefix, what is in the heap block is reached by block(). Tests only.
#pragma once

#include <string>
#include <utility>

#include "oracle/program.h"

namespace raddle::oracle {

class Statements {
 public:
  // `detached`: the threads that are created as such, a set.
  explicit Statements(std::string prefix, unsigned detached = 0)
      : prefix_(std::move(prefix)), detached_(detached) {}

  // Without the semicolon. One access each.
  std::string of(const Op& op) const;

 private:
  std::string variable(const Op& op) const;
  std::string mutex(const Op& op) const;
  std::string rwlock(const Op& op) const;
  std::string access(const Op& op) const;
  std::string sync(const Op& op) const;

  std::string prefix_;
  unsigned detached_;
};

}  // namespace raddle::oracle
