// SPDX-License-Identifier: Apache-2.0
//
// Small programs as C: one source line an operation, one access an operation. The variables have
// external linkage and a compiler barrier follows every access, so that the compiler neither merges
// nor reorders nor leaves out any; what records the outcome is not instrumented, so that it adds no
// accesses of its own. Tests only.
#include "oracle/emit.h"

#include <algorithm>

#include "oracle/statements.h"

namespace raddle::oracle {
namespace {

constexpr const char* kPrelude = R"(#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN __attribute__((noinline, unused, no_sanitize("thread")))
#define BARRIER __asm__ volatile("" ::: "memory")

struct variables { unsigned char p0, p1; int p2, a0, a1; };

static const char *outcomes, *forbidden;
static unsigned kept[4][6];
static unsigned trace[300], traced;

static UNSEEN void keep(unsigned t, unsigned r0, unsigned r1, unsigned r2, unsigned r3, unsigned r4,
                        unsigned r5) {
  unsigned* k = kept[t];
  k[0] = r0, k[1] = r1, k[2] = r2, k[3] = r3, k[4] = r4, k[5] = r5;
}

static UNSEEN void done(unsigned site) {
  if (traced < sizeof trace / sizeof *trace) trace[traced++] = site;
}

// Of a variable whose address was taken, without an access that might be a point.
static UNSEEN unsigned value(const int* variable) { return *variable; }

static UNSEEN struct timespec* soon(struct timespec* when) {
  clock_gettime(CLOCK_REALTIME, when);
  when->tv_sec += 1000;
  return when;
}

static UNSEEN void finish(const struct variables* v, unsigned threads) {
  char line[2048];
  int n = snprintf(line, sizeof line, "%d %d %d %d %d ", v->p0, v->p1, v->p2, v->a0, v->a1);
  for (unsigned t = 0; t < threads; ++t) {
    n += snprintf(line + n, sizeof line - n, "| %u %u %u %u %u %u", kept[t][0], kept[t][1],
                  kept[t][2], kept[t][3], kept[t][4], kept[t][5]);
  }
  const int end = n;
  n += snprintf(line + n, sizeof line - n, " @");
  for (unsigned i = 0; i < traced; ++i) {
    n += snprintf(line + n, sizeof line - n, " %u", trace[i]);
  }
  line[n++] = '\n';
  int fd = open(outcomes, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (fd < 0 || write(fd, line, n) != n || close(fd) != 0) abort();
  line[end] = 0;
  if (strcmp(line, forbidden) == 0) exit(1);
}

)";

class Emitter {
 public:
  Emitter(unsigned number, const Program& program)
      : program_(program), prefix_("p" + std::to_string(number)), statements_(prefix_) {}

  std::string all() {
    const std::string count = std::to_string(program_.threads.size());
    out_ = "#line 1 \"" + prefix_ + "\"\nstruct variables " + prefix_ + "_v;\n";
    out_ += "pthread_mutex_t " + prefix_ + "_m0 = PTHREAD_MUTEX_INITIALIZER, " + prefix_ +
            "_m1 = PTHREAD_MUTEX_INITIALIZER;\n";
    out_ += "pthread_cond_t " + prefix_ + "_c = PTHREAD_COND_INITIALIZER;\n";
    out_ += "pthread_rwlock_t " + prefix_ + "_l0 = PTHREAD_RWLOCK_INITIALIZER;\n";
    out_ += "sem_t " + prefix_ + "_s;\npthread_barrier_t " + prefix_ + "_b;\n";
    for (std::size_t t = program_.threads.size(); t-- > 0;) thread(static_cast<unsigned>(t));
    out_ += "static void " + prefix_ + "_main(void) {\n  if (sem_init(&" + prefix_ + "_s, 0, " +
            std::to_string(program_.semaphore) + ") || pthread_barrier_init(&" + prefix_ +
            "_b, 0, " + std::to_string(program_.barrier) + ")) abort();\n  " + prefix_ +
            "_t0(0);\n  finish(&" + prefix_ + "_v, " + count + ");\n}\n\n";
    return out_;
  }

 private:
  // Children before their creators: in the order of falling numbers.
  void thread(unsigned t) {
    const std::vector<Op>& ops = program_.threads[t];
    out_ += "static void* " + prefix_ + "_t" + std::to_string(t) + "(void* none) {\n";
    out_ += "  unsigned r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0;\n";
    if (std::any_of(ops.begin(), ops.end(), [](const Op& op) { return op.is_timed(); })) {
      out_ += "  struct timespec when;\n";
    }
    for (const Op& op : ops) {
      if (op.what == Do::create) out_ += "  pthread_t h" + std::to_string(op.object) + ";\n";
    }
    for (unsigned i = 0; i < ops.size(); ++i) {
      out_ += "#line " + std::to_string(site(t, i)) + "\n  ";
      const bool loop = i + 1 < ops.size() && ops[i + 1].again;
      if (loop) {
        const Op& wait = ops[i + 1];
        out_ += "for (;;) { " + statements_.of(ops[i]) + "; BARRIER; if (r" +
                std::to_string(wait.guard) + " != " + std::to_string(wait.guard_value) +
                ") break;\n";
      } else if (ops[i].again) {
        out_ += statements_.of(ops[i]) + "; }\n";
      } else {
        if (ops[i].guard >= 0) {
          out_ += "if (r" + std::to_string(ops[i].guard) +
                  " == " + std::to_string(ops[i].guard_value) + ") ";
        }
        out_ += "{ " + statements_.of(ops[i]) + "; BARRIER; done(" + std::to_string(site(t, i)) +
                "); }\n";
      }
    }
    out_ += "#line 900\n  keep(" + std::to_string(t) +
            ", r0, r1, r2, r3, r4, r5);\n  return none;\n}\n";
  }

  const Program& program_;
  std::string prefix_;
  Statements statements_;
  std::string out_;
};

}  // namespace

std::string emit(const std::vector<std::pair<unsigned, Program>>& programs) {
  std::string out = kPrelude;
  std::string cases;
  for (const auto& [number, program] : programs) {
    out += Emitter(number, program).all();
    const std::string n = std::to_string(number);
    cases += "    case " + n + ": p" + n + "_main(); return 0;\n";
  }
  return out +
         "int main(int argc, char** argv) {\n  if (argc != 4) return 2;\n  outcomes = argv[2];\n"
         "  forbidden = argv[3];\n"
         "  switch (atoi(argv[1])) {\n" +
         cases + "  }\n  return 2;\n}\n";
}

}  // namespace raddle::oracle
