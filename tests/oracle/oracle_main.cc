// SPDX-License-Identifier: Apache-2.0
//
// raddle_oracle: generates small programs, writes them as C, and says by brute force what they can
// do. tests/oracle/compare.py holds raddle against that. Tests only.
//
//   raddle_oracle SEED FIRST END FOLDER
//
// writes programs FIRST..END-1 of the seed into FOLDER/part_FIRST.c, and one line of JSON for each
// to standard output. The same arguments give the same files.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/rng.h"
#include "oracle/emit.h"
#include "oracle/explore.h"
#include "oracle/generate.h"

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
  out += "], \"races\": [";
  comma = "";
  for (const auto& [a, b] : census.races) {
    out += comma;
    out += "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
    comma = ", ";
  }
  return out + "], \"text\": " + quoted(text(program)) + "}\n";
}

int run(std::uint64_t seed, unsigned first, unsigned end, const std::string& folder) {
  std::vector<std::pair<unsigned, Program>> programs;
  for (unsigned number = first; number < end; ++number) {
    std::uint64_t own = mix64(mix64(seed) + number);
    Program program;
    Census census;
    do {
      program = generate(own);
      census = explore(program, kStatesMax);
      own = mix64(own);
    } while (census.cut || (census.outcomes.size() == 1 && own % 4 != 0));
    std::fputs(json(number, program, census).c_str(), stdout);
    programs.emplace_back(number, program);
  }
  const std::string path = folder + "/part_" + std::to_string(first) + ".c";
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fputs(emit(programs).c_str(), file) < 0 || std::fclose(file) != 0) {
    std::perror(path.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace raddle::oracle

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: raddle_oracle SEED FIRST END FOLDER\n", stderr);
    return 2;
  }
  return raddle::oracle::run(std::strtoull(argv[1], nullptr, 10),
                             static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)),
                             static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)), argv[4]);
}
