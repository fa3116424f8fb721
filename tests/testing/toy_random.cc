// SPDX-License-Identifier: Apache-2.0
//
// See toy_random.h. Tests only.
#include "testing/toy_random.h"

#include <vector>

#include "base/rng.h"

namespace raddle::toy {
namespace {

class Writer {
 public:
  Writer(std::uint64_t number, const RandomShape& shape) : rng_(number), shape_(shape) {}
  std::string program();

 private:
  struct Thread {
    std::string text;
    std::uint64_t steps = 0;
  };

  bool chance(std::uint32_t percent) { return rng_.below(100) < percent; }
  std::string number(std::uint32_t below) { return std::to_string(rng_.below(below)); }
  std::string variable() { return std::string(1, "xyz"[rng_.below(variables_)]); }
  std::string mutex() { return std::string(1, "mn"[rng_.below(mutexes_)]); }

  void emit(Thread& thread, const std::string& op, std::uint64_t steps = 1) {
    if (!thread.text.empty()) thread.text += "; ";
    thread.text += op;
    thread.steps += steps;
  }
  void section(Thread& thread, const std::string& enter, const std::string& leave);
  void access(Thread& thread);
  void lock(Thread& thread);
  void condition(Thread& thread);
  void semaphore(Thread& thread);
  void read_write_lock(Thread& thread);
  void fragment(Thread& thread);
  std::uint64_t interleavings() const;

  Rng rng_;
  RandomShape shape_;
  std::vector<Thread> threads_;
  std::uint32_t variables_ = 1, mutexes_ = 1;
  std::uint64_t values_ = 1;  // how many ways there are to choose values
  unsigned kinds_ = 0;        // of fragments, bits by number
};

void Writer::access(Thread& thread) {
  std::string x = variable();
  switch (rng_.below(shape_.assertions ? 9 : 8)) {
    case 0:
      return emit(thread, "r " + x);
    case 1:
      return emit(thread, "w " + x + " " + number(3));
    case 2:
      return emit(thread, "load " + x);
    case 3:
      return emit(thread, "store " + x + " " + number(3));
    case 4:
      return emit(thread, "inc " + x);
    case 5:
      return emit(thread, "cas " + x + " " + number(2) + " " + number(3));
    case 6:
      return emit(thread, "w " + x + " $+1");
    case 7:
      emit(thread, "r " + x);
      return emit(thread, "w " + x + " $+1");
    default:
      return emit(thread, "assert " + x + " " + number(2));
  }
}

void Writer::section(Thread& thread, const std::string& enter, const std::string& leave) {
  emit(thread, enter);
  for (std::uint32_t left = rng_.below(3); left > 0; --left) access(thread);
  if (chance(95)) emit(thread, leave);
}

void Writer::lock(Thread& thread) {
  std::string m = mutex();
  if (chance(25) && mutexes_ == 2) {
    emit(thread, "lock " + m);
    std::string n = m == "m" ? "n" : "m";
    section(thread, "lock " + n, "unlock " + n);
    return emit(thread, "unlock " + m);
  }
  section(thread, (chance(30) ? "trylock " : "lock ") + m, "unlock " + m);
}

void Writer::condition(Thread& thread) {
  switch (rng_.below(5)) {
    case 0:
      return emit(thread, "signal c");
    case 1:
      return emit(thread, "broadcast c");
    case 2:
      emit(thread, "lock m");
      if (chance(50)) access(thread);
      emit(thread, chance(70) ? "signal c" : "broadcast c");
      return emit(thread, "unlock m");
    default:
      emit(thread, "lock m");
      emit(thread, "wait c m", 2);
      if (chance(50)) access(thread);
      return emit(thread, "unlock m");
  }
}

void Writer::semaphore(Thread& thread) {
  constexpr const char* kOps[] = {"semwait s", "semwait s", "post s", "post s", "semtry s"};
  emit(thread, kOps[rng_.below(5)]);
}

void Writer::read_write_lock(Thread& thread) {
  section(thread, chance(60) ? "rdlock l" : "wrlock l", "rwunlock l");
}

void Writer::fragment(Thread& thread) {
  unsigned kind;
  do kind = rng_.below(8);
  while ((kinds_ >> kind & 1) == 0);
  switch (kind) {
    case 0:
      return access(thread);
    case 1:
      return lock(thread);
    case 2:
      return condition(thread);
    case 3:
      return semaphore(thread);
    case 4:
      return emit(thread, "barrier b", 2);
    case 5:
      return read_write_lock(thread);
    case 6:
      values_ *= 2;
      emit(thread, "choose 2");
      return emit(thread, "w " + variable() + " $");
    default:
      if (chance(60)) return emit(thread, "yield");
      return emit(thread, "spin " + variable() + " 1");
  }
}

// The multinomial coefficient of the threads' steps, times the values.
std::uint64_t Writer::interleavings() const {
  std::uint64_t ways = values_, steps = 0;
  for (const Thread& thread : threads_)
    for (std::uint64_t i = 1; i <= thread.steps; ++i) {
      ways = ways * ++steps / i;
      if (ways > std::uint64_t{1} << 40) return ways;
    }
  return ways;
}

std::string Writer::program() {
  std::uint32_t count = 2 + rng_.below(3);
  variables_ = 1 + rng_.below(3);
  mutexes_ = 1 + rng_.below(2);
  // A program is about one or two sorts of objects beside variables.
  kinds_ = 1u | 1u << (1 + rng_.below(5)) | 1u << (1 + rng_.below(5));
  if (chance(20)) kinds_ |= 1u << 6;
  if (shape_.spins) kinds_ |= 1u << 7;
  threads_.resize(count);
  bool spawns = chance(20);
  if (spawns) emit(threads_[0], "spawn B");
  bool joins = spawns && chance(60);
  if (joins) ++threads_[0].steps;  // at the end
  for (unsigned in_vain = 0; in_vain < 8;) {
    Thread& thread = threads_[rng_.below(count)];
    Thread before = thread;
    std::uint64_t values = values_;
    fragment(thread);
    if (interleavings() <= shape_.interleavings_max) continue;
    thread = before;
    values_ = values;
    ++in_vain;
  }
  if (joins) emit(threads_[0], "join B", 0);
  std::string text = "init:";
  std::string all;
  for (std::uint32_t t = 0; t < count; ++t) {
    all += " | ";
    all += "ABCD"[t];
    all += ": ";
    all += threads_[t].text;
  }
  if (all.find(" s;") != std::string::npos || all.find(" s |") != std::string::npos)
    text += " s " + number(2);
  bool barrier = all.find("barrier b") != std::string::npos;
  if (barrier && text.back() != ':') text += ';';
  if (barrier) text += " b " + std::to_string(2 + rng_.below(count - 1));
  return text.back() == ':' ? all.substr(3) : text + all;
}

}  // namespace

std::string random_program(std::uint64_t number, const RandomShape& shape) {
  return Writer(mix64(number), shape).program();
}

}  // namespace raddle::toy
