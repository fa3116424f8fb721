// SPDX-License-Identifier: Apache-2.0
//
// Choosing programs for proofs, and what is known of them as JSON. Tests only.
#include "oracle/proofs.h"

#include <cstdio>
#include <cstdlib>

#include "base/rng.h"
#include "oracle/generate.h"

namespace raddle::oracle {
namespace {

// Larger programs are left out, and most of those in which nothing depends on the order.
constexpr std::size_t kStatesMax = 15000;
constexpr std::size_t kPrefixesMax = 40000;
constexpr std::uint64_t kTracesMax = 2000;

std::string quoted(const std::string& words) {
  std::string out = "\"";
  for (char c : words) out += c == '\n' ? "\\n" : std::string(1, c);
  return out + "\"";
}

std::string list(const std::set<std::string>& all) {
  std::string out;
  for (const std::string& each : all) out += (out.empty() ? "" : ", ") + quoted(each);
  return "[" + out + "]";
}

std::string ends(const Program& program, const Ends& of) {
  return "{\"finals\": " + list(of.finals) + ", \"failures\": " + list(of.failures) +
         ", \"races\": " + json(program, of.races) + "}";
}

bool has_op(const Program& program, auto is) {
  for (unsigned b = 0; b < kBodies; ++b) {
    if (!program.has_body(b)) continue;
    for (const Op& op : program.body(b)) {
      if (is(op)) return true;
    }
  }
  return false;
}

bool is_joined(const Program& program, unsigned thread) {
  return has_op(program, [&](const Op& op) { return op.what == Do::join && op.object == thread; });
}

// One thread makes several accesses of a variable, and they race.
bool races_again(const Program& program, const std::set<Race>& races) {
  std::set<unsigned> sites;
  for (const auto& [a, b] : races) sites.insert({a, b});
  for (unsigned here : sites) {
    const std::vector<Op>& ops = program.body(here / 100);
    const unsigned own = here % 100 - 1;
    for (unsigned i = own; i < ops.size(); ++i) {
      const bool again = i > own && (ops[i].cells() & ops[own].cells()) != 0;
      const bool loop = ops[i].what == Do::repeat && i - ops[i].object <= own;
      if (again || loop) return true;
    }
  }
  return false;
}

std::set<std::string> features(const Proof& proof) {
  const Program& program = proof.program;
  const auto has = [&](auto is) { return has_op(program, is); };
  const auto does = [&](Do what) { return has([=](const Op& op) { return op.what == what; }); };
  std::set<std::string> all;
  const auto add = [&](const char* name, bool there) {
    if (there) all.insert(name);
  };
  add("races", !proof.ends.possible.races.empty());
  add("races again", races_again(program, proof.ends.possible.races));
  add("words", has([](const Op& op) { return op.is_access() && op.object == kWord; }));
  add("loop", does(Do::repeat));
  add("guards", has([](const Op& op) { return op.guard >= 0; }));
  add("exit", does(Do::exit));
  add("quick_exit", does(Do::quick_exit));
  add("handlers", !program.handlers[0].empty() || !program.handlers[1].empty());
  add("pthread_exit", program.threads[0].empty() || !program.threads[0].back().ends_process());
  add("detached", program.detached != 0 || does(Do::detach));
  for (unsigned t = 1; t < program.threads.size(); ++t) {
    add("not joined", !is_joined(program, t));
  }
  add("free", does(Do::free_block));
  add("heap lock", has([](const Op& op) { return !op.is_access() && op.in_block(); }));
  add("rwlock", has([](const Op& op) { return op.is_rwlock(); }));
  add("mutex", has([](const Op& op) { return op.is_mutex(); }));
  add("atomics", has([](const Op& op) { return op.is_atomic(); }));
  add("semaphore", does(Do::post) || does(Do::sem_wait) || does(Do::try_sem_wait));
  add("condition", does(Do::wait) || does(Do::signal) || does(Do::broadcast));
  add("barrier", does(Do::barrier));
  for (const std::string& failure : proof.ends.possible.failures) {
    all.insert(failure.substr(0, failure.find(' ')));
  }
  add("status", has([](const Op& op) { return op.ends_process() && op.value != 0; }));
  add("early circle", proof.ends.early);
  add("stuck handler", proof.ends.stuck);
  return all;
}

// As the body of a unit test: whoever calls it goes on.
bool fits_in_process(const Program& program) {
  const std::vector<Op>& main = program.threads[0];
  if (main.empty() || main.back().what != Do::leave || main.back().value != 0) return false;
  for (unsigned t = 1; t < program.threads.size(); ++t) {
    if (!is_joined(program, t)) return false;
  }
  return !has_op(program,
                 [](const Op& op) { return op.what == Do::exit || op.what == Do::quick_exit; });
}

}  // namespace

std::string json(const Program& program, const std::set<Race>& races) {
  std::string out;
  for (const auto& [a, b] : races) {
    const unsigned cells =
        program.body(a / 100)[a % 100 - 1].cells() & program.body(b / 100)[b % 100 - 1].cells();
    std::set<std::string> names;
    for (unsigned i = 0; i < kCells; ++i) {
      if (cells >> i & 1) names.insert(name_of(i));
    }
    out += (out.empty() ? "[" : ", [") + std::to_string(a) + ", " + std::to_string(b) + ", " +
           list(names) + "]";
  }
  return "[" + out + "]";
}

Proof choose_proof(std::uint64_t seed, unsigned number) {
  for (std::uint64_t own = mix64(mix64(~seed) + number);; own = mix64(own)) {
    Proof proof{generate_proof(own), {}, {}};
    proof.ends = find_ends(proof.program, kStatesMax);
    const Ends& possible = proof.ends.possible;
    const bool dull = possible.finals.size() + possible.failures.size() <= 1 && own % 6 != 0;
    if (proof.ends.cut || dull) continue;
    proof.traces = count_traces(proof.program, kPrefixesMax);
    if (proof.traces.broken) {
      std::fprintf(stderr, "raddle_oracle: not the dependence of this program:\n%s",
                   text(proof.program).c_str());
      std::abort();
    }
    if (!proof.traces.cut && proof.traces.count <= kTracesMax) return proof;
  }
}

std::string json(unsigned number, const Proof& proof) {
  std::string records;
  for (std::uint32_t crc : proof.ends.records) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08x", crc);
    records += digits;
  }
  return "{\"number\": " + std::to_string(number) +
         ", \"traces\": " + std::to_string(proof.traces.count) +
         ", \"executions\": " + std::to_string(proof.ends.executions) +
         ", \"possible\": " + ends(proof.program, proof.ends.possible) +
         ", \"certain\": " + ends(proof.program, proof.ends.certain) +
         ", \"early\": " + (proof.ends.early ? "true" : "false") +
         ", \"stuck\": " + (proof.ends.stuck ? "true" : "false") +
         ", \"in_process\": " + (fits_in_process(proof.program) ? "true" : "false") +
         ", \"features\": " + list(features(proof)) + ", \"text\": " + quoted(text(proof.program)) +
         ", \"records\": \"" + records + "\"}\n";
}

}  // namespace raddle::oracle
