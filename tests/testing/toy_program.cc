// SPDX-License-Identifier: Apache-2.0
//
// The reader of toy programs. Tests only.
#include "testing/toy_program.h"

#include <charconv>
#include <cstdio>
#include <optional>

namespace raddle::toy {
namespace {

using model::ObjectKind;
using wire::OpKind;

// Arguments: v variable, m mutex, l rwlock, c condvar, s semaphore, b barrier, t thread, n operand;
// N is an operand that may be left out and is then 1.
struct Word {
  std::string_view word;
  OpKind kind;
  std::string_view arguments;
  Form form = Form::normal;
};

constexpr Word kWords[] = {
    {"r", OpKind::plain_read, "v"},
    {"w", OpKind::plain_write, "vN"},
    {"load", OpKind::atomic_load, "v"},
    {"store", OpKind::atomic_store, "vN"},
    {"inc", OpKind::atomic_rmw, "v"},
    {"cas", OpKind::atomic_cas, "vnn"},
    {"spin", OpKind::atomic_load, "vn", Form::spin},
    {"assert", OpKind::plain_read, "vn", Form::assertion},
    {"lock", OpKind::mutex_lock, "m"},
    {"trylock", OpKind::mutex_try_lock, "m"},
    {"unlock", OpKind::mutex_unlock, "m"},
    {"rdlock", OpKind::rwlock_read, "l"},
    {"wrlock", OpKind::rwlock_write, "l"},
    {"rwunlock", OpKind::rwlock_unlock, "l"},
    {"wait", OpKind::cond_wait, "cm"},
    {"signal", OpKind::cond_signal, "c"},
    {"broadcast", OpKind::cond_broadcast, "c"},
    {"semwait", OpKind::sem_wait, "s"},
    {"semtry", OpKind::sem_try_wait, "s"},
    {"post", OpKind::sem_post, "s"},
    {"barrier", OpKind::barrier_arrive, "b"},
    {"spawn", OpKind::thread_create, "t"},
    {"join", OpKind::thread_join, "t"},
    {"yield", OpKind::yield, ""},
    {"step", OpKind::fence, ""},
    {"choose", OpKind::value, "n"},
};

ObjectKind kind_of(char argument) {
  switch (argument) {
    case 'm':
      return ObjectKind::mutex;
    case 'l':
      return ObjectKind::rwlock;
    case 'c':
      return ObjectKind::condvar;
    case 's':
      return ObjectKind::semaphore;
    case 'b':
      return ObjectKind::barrier;
    default:
      return ObjectKind::none;
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view part : split(text, ' '))
    if (!part.empty()) words.push_back(part);
  return words;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> number_of(std::string_view word) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return {};
  return number;
}

std::optional<Operand> operand_of(std::string_view word) {
  bool from_register = !word.empty() && word.front() == '$';
  if (from_register) word.remove_prefix(1);
  if (from_register && word.empty()) return Operand{true, 0};
  if (from_register && word.front() != '+') return {};
  if (from_register) word.remove_prefix(1);
  std::optional<std::int64_t> number = number_of(word);
  if (!number) return {};
  return Operand{from_register, *number};
}

class Parser {
 public:
  Result<Program> parse(std::string_view text);

 private:
  struct Initial {
    std::string_view name;
    std::int64_t value;
  };

  bool parse_init(std::string_view text);
  bool parse_body(Body& body, std::string_view text);
  bool parse_op(Op& op, const std::vector<std::string_view>& words);
  bool parse_argument(Op& op, char argument, std::string_view word, unsigned& operands);
  bool apply_initials();
  bool fail(std::string_view where, const char* why);
  std::optional<unsigned> object(std::string_view name, ObjectKind kind);
  std::optional<unsigned> body(std::string_view name) const;

  Program program_;
  std::vector<Initial> initials_;
  std::string error_;
};

bool Parser::fail(std::string_view where, const char* why) {
  error_ = "toy program: '" + std::string(where) + "': " + why;
  return false;
}

Result<Program> Parser::parse(std::string_view text) {
  std::vector<std::string_view> bodies;
  for (std::string_view part : split(text, '|')) {
    std::size_t colon = part.find(':');
    std::string_view name = trim(part.substr(0, colon));
    if (colon == std::string_view::npos || name.empty()) {
      fail(trim(part), "a thread begins with its name and a colon");
      return Error{error_};
    }
    std::string_view ops = part.substr(colon + 1);
    if (name == "init") {
      if (!parse_init(ops)) return Error{error_};
      continue;
    }
    if (body(name)) {
      fail(name, "two threads of this name");
      return Error{error_};
    }
    program_.bodies.push_back({std::string(name), {}, false});
    bodies.push_back(ops);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!parse_body(program_.bodies[i], bodies[i])) return Error{error_};
  if (!apply_initials()) return Error{error_};
  return std::move(program_);
}

bool Parser::parse_init(std::string_view text) {
  for (std::string_view part : split(text, ';')) {
    std::vector<std::string_view> words = words_of(part);
    std::optional<std::int64_t> value = words.size() == 2 ? number_of(words[1]) : std::nullopt;
    if (!value) return fail(trim(part), "an initial value is a name and a number");
    initials_.push_back({words[0], *value});
  }
  return true;
}

bool Parser::apply_initials() {
  for (const Initial& initial : initials_) {
    Object* found = nullptr;
    for (Object& object : program_.objects)
      if (object.name == initial.name) found = &object;
    if (found == nullptr) return fail(initial.name, "no thread uses this object");
    found->initial = initial.value;
  }
  return true;
}

bool Parser::parse_body(Body& body, std::string_view text) {
  for (std::string_view part : split(text, ';')) {
    std::vector<std::string_view> words = words_of(part);
    if (words.empty()) continue;
    Op op;
    if (!parse_op(op, words)) return false;
    body.ops.push_back(std::move(op));
  }
  return true;
}

bool Parser::parse_op(Op& op, const std::vector<std::string_view>& words) {
  for (std::string_view word : words) {
    if (!op.text.empty()) op.text += ' ';
    op.text += word;
  }
  const Word* row = nullptr;
  for (const Word& candidate : kWords)
    if (candidate.word == words[0]) row = &candidate;
  if (row == nullptr) return fail(op.text, "no such operation");
  op.kind = row->kind;
  op.form = row->form;
  std::size_t given = words.size() - 1;
  bool optional = !row->arguments.empty() && row->arguments.back() == 'N';
  if (given > row->arguments.size() || given + optional < row->arguments.size())
    return fail(op.text, "wrong number of arguments");
  unsigned operands = 0;
  if (optional) op.a = {false, 1};
  for (std::size_t i = 0; i < given; ++i)
    if (!parse_argument(op, row->arguments[i], words[i + 1], operands)) return false;
  return true;
}

bool Parser::parse_argument(Op& op, char argument, std::string_view word, unsigned& operands) {
  if (argument == 'n' || argument == 'N') {
    std::optional<Operand> operand = operand_of(word);
    if (!operand) return fail(op.text, "an operand is a number, $ or $+number");
    if (op.kind == OpKind::value && (operand->from_register || operand->number < 2))
      return fail(op.text, "a choice is among two or more");
    (operands++ == 0 ? op.a : op.b) = *operand;
    return true;
  }
  if (argument == 't') {
    std::optional<unsigned> index = body(word);
    if (!index) return fail(op.text, "no thread of this name");
    if (op.kind == OpKind::thread_create) program_.bodies[*index].spawned = true;
    op.object = *index;
    return true;
  }
  std::optional<unsigned> index = object(word, kind_of(argument));
  if (!index) return fail(op.text, "the object is of another kind elsewhere");
  bool second = op.kind == OpKind::cond_wait && argument == 'm';
  (second ? op.second : op.object) = *index;
  return true;
}

std::optional<unsigned> Parser::object(std::string_view name, ObjectKind kind) {
  for (unsigned i = 0; i < program_.objects.size(); ++i)
    if (program_.objects[i].name == name) {
      if (program_.objects[i].kind != kind) return {};
      return i;
    }
  program_.objects.push_back({std::string(name), kind, kind == ObjectKind::barrier ? 1 : 0});
  return static_cast<unsigned>(program_.objects.size() - 1);
}

std::optional<unsigned> Parser::body(std::string_view name) const {
  for (unsigned i = 0; i < program_.bodies.size(); ++i)
    if (program_.bodies[i].name == name) return i;
  return {};
}

}  // namespace

Result<Program> parse(std::string_view text) { return Parser().parse(text); }

Program program(std::string_view text) {
  Result<Program> parsed = parse(text);
  if (!parsed) std::fprintf(stderr, "%s\n", parsed.error().message.c_str());
  return *parsed;
}

}  // namespace raddle::toy
