// SPDX-License-Identifier: Apache-2.0
//
// What users write against what debug information says.
#include "report/name_match.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

TEST(NameMatch, FunctionsByTheEndOfTheirNames) {
  const char* push = "bank::Queue::push(int)";
  for (const char* yes : {"push", "Queue::push", "bank::Queue::push", "push(int)",
                          "Queue::push( int )", "bank::Queue::push(int)", "push(int) const"})
    EXPECT_TRUE(names_function(yes, push)) << yes;
  for (const char* no : {"ush", "ueue::push", "pushes", "push(long)", "push()", "Queue", "bank", "",
                         "::push::", "other::Queue::push", "Queue::push::more"})
    EXPECT_FALSE(names_function(no, push)) << no;
}

TEST(NameMatch, FunctionsWithTemplatesQualifiersAndAnonymousNamespaces) {
  const char* put = "bool (anonymous namespace)::Map<int, long>::put<char>(int const&, long) const";
  for (const char* yes :
       {"put", "Map::put", "Map<int, long>::put<char>", "Map<int,long>::put<char>",
        "Map::put(const int&, long)", "put(int const&,long)"})
    EXPECT_EQ(names_function(yes, put), std::string(yes) != "Map::put(const int&, long)") << yes;
  EXPECT_FALSE(names_function("Map<int, int>::put<char>", put));
  EXPECT_TRUE(names_function("Stack::operator<<", "Stack::operator<<(int)"));
  EXPECT_TRUE(names_function("Stack::operator()", "Stack::operator()(int)"));
  EXPECT_TRUE(names_function("Stack::operator->", "Stack<int>::operator->() const"));
  EXPECT_FALSE(names_function("Stack::operator<", "Stack::operator<<(int)"));
}

TEST(NameMatch, ParametersThatAreNotKnownAreNotCompared) {
  EXPECT_TRUE(names_function("push", "push"));
  EXPECT_TRUE(names_function("Queue::push(int)", "Queue::push"));
  EXPECT_FALSE(names_function("Stack::push(int)", "Queue::push"));
  EXPECT_TRUE(names_function("operator()", "Task::operator()"));
}

TEST(NameMatch, VariablesAndTheirParts) {
  const char* place = "bank::accounts[1].balance";
  for (const char* yes : {"accounts", "bank::accounts", "accounts[1]", "accounts[1].balance",
                          "bank::accounts[1].balance"})
    EXPECT_TRUE(names_variable(yes, place)) << yes;
  for (const char* no : {"account", "accounts[2]", "balance", "bank", "", "accounts[1].bal"})
    EXPECT_FALSE(names_variable(no, place)) << no;
  EXPECT_TRUE(names_variable("calls", "count()::calls"));
  EXPECT_TRUE(names_variable("buffer", "buffer+24"));
}

TEST(NameMatch, MentionsOfMembersInSourceLines) {
  EXPECT_EQ(member_mention("head_ = node;", "head_"), Mention::bare);
  EXPECT_EQ(member_mention("this->head_ = node;", "head_"), Mention::bare);
  EXPECT_EQ(member_mention("queue.head_ = node;", "head_"), Mention::of_object);
  EXPECT_EQ(member_mention("return it->head_.load();", "head_"), Mention::of_object);
  EXPECT_EQ(member_mention("head = q -> head;", "head"), Mention::of_object);
  EXPECT_EQ(member_mention("ahead = heads;", "head"), Mention::none);
  EXPECT_EQ(member_mention("}", "head"), Mention::none);
  EXPECT_EQ(member_mention("f(args..., head)", "head"), Mention::bare);
}

TEST(NameMatch, RecordsAsScopesOfFunctions) {
  EXPECT_TRUE(is_scope_of("bank::Queue<int>", "bank::Queue<int>::push"));
  EXPECT_TRUE(is_scope_of("Queue", "bank::Queue::push(int)::{lambda()#1}"));
  EXPECT_FALSE(is_scope_of("Queue", "DeQueue::push"));
  EXPECT_FALSE(is_scope_of("Queue", "Queue"));
}

}  // namespace
}  // namespace raddle::report
