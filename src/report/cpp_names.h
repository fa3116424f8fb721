// SPDX-License-Identifier: Apache-2.0
//
// Shortens demangled C++ names to what people say. Engine side; pure.
#pragma once

#include <string>
#include <string_view>

namespace raddle::report {

// "void bank::move<int>(int, Account&) const" -> "bank::move<int>"
// "main::{lambda()#1}::operator()() const"    -> "main::{lambda()#1}"
// "(anonymous namespace)::audit(int)"         -> "audit"
std::string function_name(std::string_view demangled);

// Takes "(anonymous namespace)::" out of a name.
std::string without_anonymous(std::string_view name);

// "(anonymous namespace)::total[abi:cxx11]"   -> "total"
// "bank::move(int, Account&) const::calls"     -> "bank::move()::calls"
std::string static_name(std::string_view demangled);

}  // namespace raddle::report
