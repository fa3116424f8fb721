// SPDX-License-Identifier: Apache-2.0
//
// Toy programs: threads as lists of operations, written as text, so that policies, filters and the
// model are tested in microseconds without a program under test. Tests only.
//
//   "init: x 5; s 1 | T1: lock m; w x; unlock m | T2: lock m; r x; unlock m"
//
// Threads are separated by |, operations by ;. A name belongs to one kind of object, decided by its
// first use. The optional part `init` gives first values of variables and semaphores and the size
// of barriers. A thread named by some `spawn` starts there, all others at the beginning.
// Every thread has one register, written $ or $+N as an operand.
//
//   r x   load x             $ = x (plain, atomic)
//   w x [V]   store x [V]    x = V (plain, atomic), default 1
//   inc x                    $ = x, x = x + 1, atomically
//   cas x A B                if x = A then x = B and $ = 1, else $ = 0
//   spin x V                 atomic load, repeated until it gives V; every turn in vain yields
//   assert x V               plain read; the run fails if it does not give V
//   lock m   trylock m   unlock m            trylock: $ = 1 if it got the mutex, else 0
//   rdlock l   wrlock l   rwunlock l
//   wait c m   signal c   broadcast c        a wait is two steps: wait, then wake
//   semwait s   semtry s   post s            semtry: as trylock
//   barrier b                                two steps: arrive, then leave
//   spawn T   join T   yield   step          step touches nothing
//   choose N                                 $ = a value choice in [0, N)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/sync_object.h"

namespace raddle::toy {

// What an operand stands for: a number, or the thread's register plus a number.
struct Operand {
  bool from_register = false;
  std::int64_t number = 0;
};

enum class Form : std::uint8_t { normal, spin, assertion };

struct Op {
  wire::OpKind kind = wire::OpKind::none;
  Form form = Form::normal;
  std::string text;     // as written, in normal spacing
  unsigned object = 0;  // index into Program::objects, or into bodies for spawn and join
  unsigned second = 0;  // the mutex of a wait
  Operand a, b;
};

// A variable or a synchronisation object (ObjectKind::none is a variable).
struct Object {
  std::string name;
  model::ObjectKind kind = model::ObjectKind::none;
  std::int64_t initial = 0;
};

struct Body {
  std::string name;
  std::vector<Op> ops;
  bool spawned = false;
};

struct Program {
  std::vector<Body> bodies;
  std::vector<Object> objects;
};

// The error names the offending operation.
Result<Program> parse(std::string_view text);

// The program of a text that is known to be right.
Program program(std::string_view text);

}  // namespace raddle::toy
