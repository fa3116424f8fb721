// SPDX-License-Identifier: Apache-2.0
//
// Whether a name that the user wrote (--method, --var) means something that debug information has
// another, longer name for. Engine side; pure.
#pragma once

#include <string>
#include <string_view>

namespace raddle::report {

// Whether `wanted` is the name, or its end at a `::`. Arguments of templates may be left out.
bool names_scope(std::string_view wanted, std::string_view qualified);

// The same for a function, whose parameters may be left out too. `demangled` has them, if they are
// known: "void bank::Queue<int>::push(int)" is "Queue::push" and "push(int)", but not "push(long)".
// Parameters that are not known are taken to be the wanted ones.
bool names_function(std::string_view wanted, std::string_view demangled);

// Whether `wanted` is a variable or a part of it that the place lies in:
// "bank::accounts[1].balance" lies in "accounts", "bank::accounts[1]" and "accounts[1].balance".
bool names_variable(std::string_view wanted, std::string_view place);

// How a line of source code speaks of a member: not at all, by its bare name (or `this->`), or as
// that of some object.
enum class Mention { none, bare, of_object };
Mention member_mention(std::string_view line, std::string_view member);

// Whether the record is one of the scopes of a function: "bank::Queue<int>" of
// "bank::Queue<int>::push" and of the lambdas in it.
bool is_scope_of(std::string_view record, std::string_view function);

// "bank::Queue<int>::push" -> "bank::Queue::push".
std::string without_template_arguments(std::string_view name);

}  // namespace raddle::report
