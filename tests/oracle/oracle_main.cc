// SPDX-License-Identifier: Apache-2.0
//
// raddle_oracle: generates small programs, writes them as C, and says by brute force what they can
// do. tests/oracle/compare.py holds raddle against that. Tests only.
//
//   raddle_oracle generate SEED FIRST END FOLDER
//
// writes programs FIRST..END-1 of the seed into FOLDER/part_FIRST.c, and one line of JSON for each
// to standard output. The same arguments give the same files.
//
//   raddle_oracle proofs SEED FIRST END FOLDER
//
// does the same with programs for tests/oracle/proofs.py, of which more is known.
//
//   raddle_oracle follow SEED NUMBER
//
// reads what runs of that program have appended to their file, checks that each is an execution of
// the program with just this outcome, and writes the races of all of them as JSON.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "base/rng.h"
#include "oracle/emit.h"
#include "oracle/emit_proofs.h"
#include "oracle/explore.h"
#include "oracle/follow.h"
#include "oracle/generate.h"
#include "oracle/proofs.h"

namespace raddle::oracle {
namespace {

// Larger programs are left out: they would cost more than they tell. So are three quarters of those
// whose threads do not meet, and which therefore have only one outcome.
constexpr std::size_t kStatesMax = 20000;

std::string quoted(const std::string& words) {
  std::string out = "\"";
  for (char c : words) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;  // neither quotes nor backslashes occur
    }
  }
  return out + "\"";
}

// [[SITE, SITE, "VARIABLE"], ...]
std::string with_variables(const Program& program, const std::set<Race>& races) {
  std::string out;
  for (const auto& [a, b] : races) {
    const unsigned variable = program.threads[a / 100][a % 100 - 1].object;
    out += (out.empty() ? "[" : ", [") + std::to_string(a) + ", " + std::to_string(b) + ", \"" +
           name_of(variable) + "\"]";
  }
  return "[" + out + "]";
}

std::string json(unsigned number, const Program& program, const Census& census) {
  std::string out = "{\"number\": " + std::to_string(number) +
                    ", \"timers\": " + (program.timers_any ? "\"any\"" : "\"idle\"") +
                    ", \"states\": " + std::to_string(census.states) +
                    ", \"executions\": " + std::to_string(census.executions) + ", \"outcomes\": [";
  const char* comma = "";
  for (const std::string& outcome : census.outcomes) {
    out += comma + quoted(outcome);
    comma = ", ";
  }
  return out + "], \"races\": " + with_variables(program, census.races) +
         ", \"exact\": " + (can_follow(program) ? "true" : "false") +
         ", \"text\": " + quoted(text(program)) + "}\n";
}

struct Chosen {
  Program program;
  Census census;
};

Chosen choose(std::uint64_t seed, unsigned number) {
  for (std::uint64_t own = mix64(mix64(seed) + number);; own = mix64(own)) {
    Chosen chosen{generate(own), {}};
    chosen.census = explore(chosen.program, kStatesMax);
    const bool dull = chosen.census.outcomes.size() == 1 && own % 4 != 0;
    if (!chosen.census.cut && !dull) return chosen;
  }
}

int write_file(const std::string& folder, unsigned first, const std::string& text) {
  const std::string path = folder + "/part_" + std::to_string(first) + ".c";
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fputs(text.c_str(), file) < 0 || std::fclose(file) != 0) {
    std::perror(path.c_str());
    return 1;
  }
  return 0;
}

int write_programs(std::uint64_t seed, unsigned first, unsigned end, const std::string& folder) {
  std::vector<std::pair<unsigned, Program>> programs;
  for (unsigned number = first; number < end; ++number) {
    const Chosen chosen = choose(seed, number);
    std::fputs(json(number, chosen.program, chosen.census).c_str(), stdout);
    programs.emplace_back(number, chosen.program);
  }
  return write_file(folder, first, emit(programs));
}

int write_proofs(std::uint64_t seed, unsigned first, unsigned end, const std::string& folder) {
  std::vector<std::pair<unsigned, Program>> programs;
  for (unsigned number = first; number < end; ++number) {
    const Proof proof = choose_proof(seed, number);
    std::fputs(json(number, proof).c_str(), stdout);
    programs.emplace_back(number, proof.program);
  }
  return write_file(folder, first, emit_proofs(programs));
}

int follow_runs(std::uint64_t seed, unsigned number) {
  const Program program = choose(seed, number).program;
  if (!can_follow(program)) {
    std::fputs("raddle_oracle: the program waits, its runs cannot be followed\n", stderr);
    return 2;
  }
  std::set<Race> races;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t at = line.find(" @");
    std::istringstream words(at == std::string::npos ? "" : line.substr(at + 2));
    std::vector<unsigned> sites;
    for (unsigned here; words >> here;) sites.push_back(here);
    Followed followed = follow(program, sites);
    if (followed.problem.empty() && followed.outcome != line.substr(0, at)) {
      followed.problem = "the outcome should be " + followed.outcome;
    }
    if (!followed.problem.empty()) {
      std::printf("%s: %s\n", line.c_str(), followed.problem.c_str());
      return 1;
    }
    races.merge(followed.races);
  }
  std::printf("%s\n", with_variables(program, races).c_str());
  return 0;
}

}  // namespace
}  // namespace raddle::oracle

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (command == "generate" && argc == 6) {
    return raddle::oracle::write_programs(number(2), static_cast<unsigned>(number(3)),
                                          static_cast<unsigned>(number(4)), argv[5]);
  }
  if (command == "proofs" && argc == 6) {
    return raddle::oracle::write_proofs(number(2), static_cast<unsigned>(number(3)),
                                        static_cast<unsigned>(number(4)), argv[5]);
  }
  if (command == "follow" && argc == 4) {
    return raddle::oracle::follow_runs(number(2), static_cast<unsigned>(number(3)));
  }
  std::fputs("usage: raddle_oracle generate|proofs SEED FIRST END FOLDER | follow SEED NUMBER\n",
             stderr);
  return 2;
}
