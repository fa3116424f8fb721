// SPDX-License-Identifier: Apache-2.0
//
// Demangled names as people say them.
#include "report/cpp_names.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

TEST(CppNames, ParametersQualifiersAndReturnTypesGo) {
  EXPECT_EQ(function_name("main"), "main");
  EXPECT_EQ(function_name("transfer(int)"), "transfer");
  EXPECT_EQ(function_name("bank::Account::take(int, std::vector<int> const&) const"),
            "bank::Account::take");
  EXPECT_EQ(function_name("void move<int, long>(int, void (*)(int))"), "move<int, long>");
  EXPECT_EQ(function_name("std::map<int, A>::at(int&&) &&"), "std::map<int, A>::at");
  EXPECT_EQ(function_name("work(int) [clone .constprop.0]"), "work");
  EXPECT_EQ(function_name("f[abi:cxx11]()"), "f[abi:cxx11]");
}

TEST(CppNames, OperatorsKeepTheirSigns) {
  EXPECT_EQ(function_name("A::operator()(int) const"), "A::operator()");
  EXPECT_EQ(function_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(function_name("A::operator bool() const"), "A::operator bool");
  EXPECT_EQ(function_name("bool operator< <int>(A<int> const&)"), "operator< <int>");
  EXPECT_EQ(function_name("A::operator->() const"), "A::operator->");
}

TEST(CppNames, LambdasAndAnonymousNamespacesAreShort) {
  EXPECT_EQ(function_name("main::{lambda()#1}::operator()() const"), "main::{lambda()#1}");
  EXPECT_EQ(function_name("(anonymous namespace)::audit(int)"), "audit");
  EXPECT_EQ(function_name("void run<(anonymous namespace)::A>()"), "run<A>");
  EXPECT_EQ(without_anonymous("(anonymous namespace)::g_lock"), "g_lock");
}

TEST(CppNames, StaticLocalsAreNamedWithoutParameters) {
  EXPECT_EQ(static_name("total"), "total");
  EXPECT_EQ(static_name("(anonymous namespace)::total[abi:cxx11]"), "total");
  EXPECT_EQ(static_name("main::calls"), "main::calls");
  EXPECT_EQ(static_name("count()::calls"), "count()::calls");
  EXPECT_EQ(static_name("A<int>::f(std::map<int, B> const&) const::calls"), "A<int>::f()::calls");
  EXPECT_EQ(static_name("main::{lambda(int)#1}::operator()(int) const::calls"),
            "main::{lambda(int)#1}()::calls");
  EXPECT_EQ(static_name("limit<std::pair<int, bank::Account> >"),
            "limit<std::pair<int, bank::Account> >");
  EXPECT_EQ(static_name("A::operator->() const::calls"), "A::operator->()::calls");
}

TEST(CppNames, WhatIsNotUnderstoodStays) {
  EXPECT_EQ(static_name(""), "");
  EXPECT_EQ(static_name("::"), "::");

  EXPECT_EQ(function_name(""), "");
  EXPECT_EQ(function_name(")"), ")");
  EXPECT_EQ(function_name("(x)"), "(x)");
}

}  // namespace
}  // namespace raddle::report
