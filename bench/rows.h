// SPDX-License-Identifier: Apache-2.0
//
// What the groups of raddle_bench have in common: compiling, starting and timing programs, and the
// rows of the table.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launch/executor.h"

namespace raddle::bench {

inline constexpr int kRounds = 3;
extern std::filesystem::path workplace;  // a directory of this run
extern bool all_met;                     // every bar so far

[[noreturn]] void give_up(const std::string& message);
void shell(const std::string& command);

// Compiles a program of bench/programs with the tool; returns where it is. A `variant` is what
// other options make of the same source.
std::string compile(const std::string& name, const std::string& level = "-O1",
                    const std::string& variant = "");

double seconds(const std::function<void()>& work);
// The least of several measurements.
double best(const std::function<double()>& measure, int rounds = kRounds);

std::unique_ptr<launch::Executor> start(std::vector<std::string> argv);
facts::Plan plan(const std::string& policy, wire::Points points, std::uint64_t seed = 1);
facts::Run run(launch::Executor& executor, const facts::Plan& plan);

// The process and those that it starts from now on.
void pin_to_one_core();

void row(const std::string& what, const std::string& ours, const std::string& peer, double ratio,
         double bar, bool at_least);

// The same without a bar.
void note(const std::string& what, const std::string& ours, const std::string& peer, double ratio);

// Several runs at a time.
void bench_jobs();

// Unit tests in one process.
void bench_check();
// Searches with partial-order reduction.
void bench_dpor();
// What analyses cost. Requires: pin_to_one_core().
void bench_kernels();
// Programs that take long to get to their choices.
void bench_checkpoints();

}  // namespace raddle::bench
