// SPDX-License-Identifier: Apache-2.0
//
// What makes a program the same one as before, as facts with names; and how the memo knows it.
// Engine side; what the command line and unit tests have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "launch/program.h"
#include "memo/records.h"

namespace raddle::outcome {

// Names, as the user knows them, and values.
using Facts = std::vector<std::pair<std::string, std::string>>;

// Facts with these names are no options.
inline constexpr const char* kFactProgram = "program";
inline constexpr const char* kFactArguments = "arguments";
inline constexpr const char* kFactDirectory = "directory";
inline constexpr const char* kFactBuild = "build";
inline constexpr const char* kFactLibrary = "library ";  // and its name
inline constexpr const char* kFactInput = "input";
inline constexpr const char* kFactTest = "test";  // of the program, if it is not all of it

// Of the program itself: where it is, how it is called and how it was built.
Facts program_facts(const launch::Program& program);

// What a file has in it, as a fact.
std::string sum_of_file(const std::string& path);

const std::string* find_fact(const Facts& facts, const std::string& name);  // null: there is none
// As text, a line for each.
std::string print_facts(const Facts& facts);

// The program of these facts, as the memo knows it: built the same, with the same libraries.
memo::ProgramRecord memo_program(const Facts& facts);

}  // namespace raddle::outcome
