// SPDX-License-Identifier: Apache-2.0
//
// Short words for the operations of small programs. Tests only.
#pragma once

#include <vector>

#include "oracle/program.h"

namespace raddle::oracle {

inline constexpr std::uint8_t p0 = 0, p1 = 1, p2 = 2, a0 = 3, a1 = 4, m0 = 0, m1 = 1;
inline constexpr std::uint8_t p01 = kWord, h0 = kHeapPlain, h1 = kHeapAtomic, mh = kHeapMutex;

inline Op load(std::uint8_t variable, std::int8_t reg) {
  return {.what = Do::load, .object = variable, .reg = reg};
}
inline Op store(std::uint8_t variable, std::uint8_t value) {
  return {.what = Do::store, .object = variable, .value = value};
}
inline Op read(std::uint8_t variable, std::int8_t reg, Order order = Order::seq_cst) {
  return {.what = Do::atomic_load, .object = variable, .reg = reg, .order = order};
}
inline Op write(std::uint8_t variable, std::uint8_t value, Order order = Order::seq_cst) {
  return {.what = Do::atomic_store, .object = variable, .value = value, .order = order};
}
inline Op add(std::uint8_t variable, std::int8_t reg, Order order = Order::seq_cst) {
  return {.what = Do::fetch_add, .object = variable, .reg = reg, .value = 1, .order = order};
}
inline Op fence(Order order) { return {.what = Do::fence, .order = order}; }
inline Op does(Do what, std::uint8_t object = 0, std::int8_t reg = -1) {
  return {.what = what, .object = object, .reg = reg};
}
inline Op only_if(std::int8_t reg, std::uint8_t value, Op op) {
  op.guard = reg;
  op.guard_value = value;
  return op;
}
inline Op wait_again(std::int8_t reg, std::uint8_t value) {
  Op op = only_if(reg, value, does(Do::wait));
  op.again = true;
  return op;
}

using Ops = std::vector<Op>;

// The main thread creates the others, does its own, and joins them.
inline Program program(const Ops& own, const std::vector<Ops>& others) {
  Program made;
  Ops main;
  for (std::uint8_t t = 1; t <= others.size(); ++t) main.push_back(does(Do::create, t));
  main.insert(main.end(), own.begin(), own.end());
  for (std::uint8_t t = 1; t <= others.size(); ++t) main.push_back(does(Do::join, t));
  made.threads.push_back(main);
  made.threads.insert(made.threads.end(), others.begin(), others.end());
  return made;
}

// As program(), but the process ends by `end`, and nobody is joined.
inline Program left_alone(const Ops& own, const Op& end, const std::vector<Ops>& others) {
  Program made = program(own, others);
  made.threads[0].resize(made.threads[0].size() - others.size());
  made.threads[0].push_back(end);
  for (unsigned t = 1; t <= others.size(); ++t) made.detached |= static_cast<std::uint8_t>(1u << t);
  return made;
}
inline Op ends(Do what, std::uint8_t status = 0) { return {.what = what, .value = status}; }

}  // namespace raddle::oracle
