// SPDX-License-Identifier: Apache-2.0
//
// Runs programs of raddle_oracle as unit tests: linked with a file of theirs that was compiled with
// IN_PROCESS. Tests only.
//
//   check_proofs STRATEGY FOLDER NUMBER:RACES...
//
// writes the results to standard output, a line of JSON each; the records of a program's runs are
// in FOLDER/NUMBER.
#include <raddle/check.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int oracle_program(int number, const char* name);

namespace {

std::string quoted(const std::string& words) {
  std::string out = "\"";
  for (char c : words) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(const char* name, std::uint64_t value) {
  return std::string(", \"") + name + "\": " + std::to_string(value);
}

std::string json(const raddle::Result& result) {
  std::string findings;
  for (const raddle::Finding& each : result.findings) {
    findings += std::string(findings.empty() ? "" : ", ") + "{\"kind\": " + quoted(each.kind) +
                ", \"message\": " + quoted(each.message) +
                ", \"schedule\": " + quoted(each.schedule_file) + number("line", each.line) + "}";
  }
  return std::string("{\"complete\": ") + (result.complete ? "true" : "false") +
         ", \"guarantee\": " + quoted(result.guarantee) + ", \"error\": " + quoted(result.error) +
         number("schedules", result.schedules) + number("limited", result.limited) +
         number("blocked", result.blocked) + number("search_runs", result.search_runs) +
         ", \"findings\": [" + findings + "]}";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  for (int i = 3; i < argc; ++i) {
    const std::string what = argv[i];
    const std::size_t colon = what.find(':');
    if (colon == std::string::npos) return 2;
    const int which = std::atoi(what.c_str());
    const std::string records = argv[2] + ("/" + what.substr(0, colon));
    raddle::Options options;
    options.name = "program " + what.substr(0, colon);
    options.strategy = argv[1];
    options.schedules = 100000;
    options.races = what.substr(colon + 1);
    options.keep_going = true;
    const raddle::Result result =
        raddle::check([&] { oracle_program(which, records.c_str()); }, options);
    std::printf("%s\n", json(result).c_str());
  }
  return 0;
}
