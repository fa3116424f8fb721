// SPDX-License-Identifier: Apache-2.0
//
// As emit.cc, but the state is recorded after every operation, by code that is not instrumented and
// makes its system calls itself: it adds neither points nor accesses nor dependences. The status is
// recorded by the first handler that runs, which knows what its thread has asked for. Tests only.
#include "oracle/emit_proofs.h"

#include <algorithm>

#include "oracle/statements.h"

namespace raddle::oracle {
namespace {

constexpr const char* kPrelude = R"(#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define UNSEEN __attribute__((noinline, unused, no_sanitize("thread")))
#define BARRIER __asm__ volatile("" ::: "memory")

struct variables {
  union {
    struct { unsigned char p0, p1; };
    unsigned short p01;
  };
  int p2, a0, a1;
};
struct block { int h0, h1; pthread_mutex_t m; pthread_rwlock_t l; };

static const struct variables* seen_variables;
static struct block* the_block;
static int block_is_there, shadow0, shadow1, status = -1;
static unsigned bodies, counts[8], kept[8][6];
static long file, offset;
static __thread int asked = -1;
static __thread unsigned asking_body;
static pthread_attr_t detached __attribute__((unused));

static UNSEEN long system_call(long number, long a, long b, long c, long d) {
  long result;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
}

static UNSEEN char* put(char* to, unsigned value, char after) {
  if (value >= 100) *to++ = '0' + value / 100 % 10;
  if (value >= 10) *to++ = '0' + value / 10 % 10;
  *to++ = '0' + value % 10;
  *to++ = after;
  return to;
}

static UNSEEN void record(void) {
  static char line[300];
  char* to = line;
  const struct variables* v = seen_variables;
  if (block_is_there) shadow0 = the_block->h0, shadow1 = the_block->h1;
  to = put(to, v->p0, ' '), to = put(to, v->p1, ' '), to = put(to, v->p2, ' ');
  to = put(to, v->a0, ' '), to = put(to, v->a1, ' ');
  to = put(to, shadow0, ' '), to = put(to, shadow1, ' ');
  if (status < 0) {
    *to++ = '-';
  } else {
    *to++ = 'e', *to++ = 'x', *to++ = 'i', *to++ = 't', *to++ = ' ';
    to = put(to, status, ' ') - 1;
  }
  for (unsigned b = 0; b < 8; ++b) {
    if (!(bodies >> b & 1)) continue;
    *to++ = '|';
    to = put(to, counts[b], ' ');
    for (unsigned r = 0; r < 6; ++r) to = put(to, kept[b][r], ' ');
    --to;
  }
  while (to < line + sizeof line - 1) *to++ = ' ';
  *to++ = '\n';
  if (system_call(SYS_pwrite64, file, (long)line, sizeof line, offset) != sizeof line) abort();
}

// A unit test begins again and again, in the same process.
static UNSEEN void begin(const char* name, struct variables* v, unsigned which) {
  v->p01 = v->p2 = v->a0 = v->a1 = 0;
  for (unsigned b = 0; b < 8; ++b) {
    counts[b] = 0;
    for (unsigned r = 0; r < 6; ++r) kept[b][r] = 0;
  }
  status = asked = -1;
  shadow0 = shadow1 = block_is_there = 0;
  seen_variables = v;
  bodies = which;
  if (file > 0) system_call(SYS_close, file, 0, 0, 0);
  file = system_call(SYS_open, (long)name, O_RDWR | O_CREAT, 0666, 0);
  if (file < 0) abort();
  offset = system_call(SYS_lseek, file, 0, SEEK_END, 0);
  record();
}

static UNSEEN void keep(unsigned b, unsigned r0, unsigned r1, unsigned r2, unsigned r3, unsigned r4,
                        unsigned r5) {
  unsigned* k = kept[b];
  k[0] = r0, k[1] = r1, k[2] = r2, k[3] = r3, k[4] = r4, k[5] = r5;
  ++counts[b];
  record();
}

static UNSEEN struct block* block(void) { return the_block; }
static UNSEEN void has_block(struct block* made) { the_block = made, block_is_there = 1; }
static UNSEEN void has_no_block(void) { block_is_there = 0; }
static UNSEEN int still_has_block(void) { return block_is_there; }

// What the thread is about to end the process with. Somebody else may be first.
static UNSEEN void asks(unsigned b, int value) { asking_body = b, asked = value; }

static UNSEEN void ends(void) {
  if (asked < 0) return;
  status = asked;
  ++counts[asking_body];
  record();
}

// Of a variable whose address was taken, without an access that might be a point.
static UNSEEN unsigned value(const int* variable) { return *variable; }

)";

class Emitter {
 public:
  Emitter(unsigned number, const Program& program)
      : program_(program),
        prefix_("p" + std::to_string(number)),
        statements_(prefix_, program.detached) {}

  std::string all() {
    out_ = "#line 1 \"" + prefix_ + "\"\nstruct variables " + prefix_ + "_v;\n";
    out_ += "pthread_mutex_t " + prefix_ + "_m0 = PTHREAD_MUTEX_INITIALIZER, " + prefix_ +
            "_m1 = PTHREAD_MUTEX_INITIALIZER;\n";
    out_ += "pthread_cond_t " + prefix_ + "_c = PTHREAD_COND_INITIALIZER;\n";
    out_ += "pthread_rwlock_t " + prefix_ + "_l0 = PTHREAD_RWLOCK_INITIALIZER;\n";
    out_ += "sem_t " + prefix_ + "_s;\npthread_barrier_t " + prefix_ + "_b;\n";
    for (unsigned b = kBodies; b-- > 0;) {
      if (program_.has_body(b)) body(b);
    }
    main();
    return out_;
  }

 private:
  // Children before their creators: in the order of falling numbers.
  void body(unsigned b) {
    const std::vector<Op>& ops = program_.body(b);
    const std::string name = prefix_ + "_t" + std::to_string(b);
    if (b == 0) {
      out_ += "static int " + name + "(void) {\n";
    } else if (b < kThreads) {
      out_ += "static void* " + name + "(void* none) {\n";
    } else {
      out_ += "static void " + name + "(void) {\n";
    }
    out_ += "  unsigned r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0;\n";
    for (const Op& op : ops) {
      if (op.what == Do::create) out_ += "  pthread_t h" + std::to_string(op.object) + ";\n";
    }
    for (unsigned i = 0; i < ops.size(); ++i) operation(b, ops, i);
    out_ += "#line 900\n";
    if (b > 0 && b < kThreads) out_ += "  return none;\n";
    if (b == 0 && (ops.empty() || !ops.back().ends_process())) out_ += "  pthread_exit(0);\n";
    if (b == 0 && !ops.empty() && ops.back().what == Do::quick_exit) out_ += "  return 0;\n";
    out_ += "}\n";
  }

  void operation(unsigned b, const std::vector<Op>& ops, unsigned i) {
    const Op& op = ops[i];
    out_ += "#line " + std::to_string(site(b, i)) + "\n  ";
    for (unsigned j = i; j < ops.size(); ++j) {
      if (ops[j].what == Do::repeat && j - ops[j].object == i) {
        out_ += "for (int n = 0; n < 2; ++n) { ";
      }
    }
    if (op.what == Do::repeat) {
      out_ += "}\n";
      return;
    }
    const bool loop = i + 1 < ops.size() && ops[i + 1].again;
    if (op.guard >= 0 && !op.again) {
      out_ += "if (r" + std::to_string(op.guard) + " == " + std::to_string(op.guard_value) + ") ";
    }
    if (op.ends_process()) {
      out_ += "{ asks(" + std::to_string(b) + ", " + std::to_string(op.value) + "); " +
              statements_.of(op) + "; }\n";
      return;
    }
    const std::string kept = "keep(" + std::to_string(b) + ", r0, r1, r2, r3, r4, r5);";
    const std::string after = op.what == Do::barrier      ? ""
                              : op.what == Do::free_block ? " has_no_block(); " + kept
                                                          : " " + kept;
    const std::string done = statements_.of(op) + "; BARRIER;" + after;
    if (loop) {
      const Op& wait = ops[i + 1];
      out_ += "for (;;) { " + done + " if (r" + std::to_string(wait.guard) +
              " != " + std::to_string(wait.guard_value) + ") break;\n";
    } else if (op.again) {
      out_ += done + " }\n";
    } else {
      out_ += "{ " + done + " }\n";
    }
  }

  void main() {
    unsigned which = 0;
    bool heap = false;
    for (unsigned b = 0; b < kBodies; ++b) {
      if (!program_.has_body(b)) continue;
      which |= 1u << b;
      const std::vector<Op>& ops = program_.body(b);
      heap = heap || std::any_of(ops.begin(), ops.end(), [](const Op& op) {
               return op.in_block() || op.what == Do::free_block;
             });
    }
    out_ += "static int " + prefix_ + "_main(const char* name) {\n  begin(name, &" + prefix_ +
            "_v, " + std::to_string(which) + ");\n  if (sem_init(&" + prefix_ + "_s, 0, " +
            std::to_string(program_.semaphore) + ") || pthread_barrier_init(&" + prefix_ +
            "_b, 0, " + std::to_string(program_.barrier) + ")) abort();\n";
    if (program_.detached != 0) {
      out_ +=
          "  if (pthread_attr_init(&detached) || "
          "pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED)) abort();\n";
    }
    if (heap) {
      out_ +=
          "  struct block* made = calloc(1, sizeof *made);\n  if (!made || "
          "pthread_mutex_init(&made->m, 0) || pthread_rwlock_init(&made->l, 0)) abort();\n  "
          "has_block(made);\n";
    }
    out_ += "#ifdef IN_PROCESS\n  " + prefix_ + "_t0();\n  ends();\n  if (sem_destroy(&" + prefix_ +
            "_s) || pthread_barrier_destroy(&" + prefix_ +
            "_b)) abort();\n  if (still_has_block()) free(block());\n  return 0;\n#else\n";
    for (unsigned b = kThreads; b < kBodies; ++b) {
      if (!program_.has_body(b)) continue;
      out_ += std::string("  if (") + (b < handler_body(1, 0) ? "atexit" : "at_quick_exit") + "(" +
              prefix_ + "_t" + std::to_string(b) + ")) abort();\n";
    }
    out_ += "  if (atexit(ends) || at_quick_exit(ends)) abort();\n  return " + prefix_ +
            "_t0();\n#endif\n}\n\n";
  }

  const Program& program_;
  std::string prefix_;
  Statements statements_;
  std::string out_;
};

}  // namespace

std::string emit_proofs(const std::vector<std::pair<unsigned, Program>>& programs) {
  std::string out = kPrelude;
  std::string cases;
  for (const auto& [number, program] : programs) {
    out += Emitter(number, program).all();
    const std::string n = std::to_string(number);
    cases += "    case " + n + ": return p" + n + "_main(name);\n";
  }
  return out + "int oracle_program(int number, const char* name) {\n  switch (number) {\n" + cases +
         "  }\n  return 2;\n}\n\n#ifndef IN_PROCESS\n" +
         "int main(int argc, char** argv) {\n  if (argc != 3) return 2;\n" +
         "  return oracle_program(atoi(argv[1]), argv[2]);\n}\n#endif\n";
}

}  // namespace raddle::oracle
