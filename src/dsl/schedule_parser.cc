// SPDX-License-Identifier: Apache-2.0
//
// See schedule_parser.h; the grammar is in schedule_table.h.
#include "dsl/schedule_parser.h"

#include <cstring>

#include "dsl/schedule_lexer.h"

namespace raddle::dsl {
namespace {

constexpr EventIndex kNoEvent = 0xffff;

class Parser {
 public:
  Parser(Schedule& schedule, TextBuffer& error)
      : schedule_(schedule), error_(error), lexer_(schedule.source()) {
    advance();
  }

  bool parse();

 private:
  bool ordering();
  bool condition(unsigned depth);
  bool both(unsigned depth);
  bool term(unsigned depth);
  bool block_event();
  EventIndex event(std::string_view expected_after);
  bool occurrence(const Token& name, Event& event);
  bool thread(Event& event);
  EventIndex intern(const Event& event, std::uint32_t at);
  bool emit(Op op, EventIndex event);

  void advance() {
    previous_end_ = token_.at + token_.text.size();
    token_ = lexer_.next();
  }
  bool fail(std::uint32_t at, std::string_view first, std::string_view second = {},
            std::string_view third = {});
  bool expected(std::string_view what);
  Span span_of(std::string_view part) const {
    return {static_cast<std::uint16_t>(part.data() - schedule_.text),
            static_cast<std::uint16_t>(part.size())};
  }
  bool begins_term() const {
    return token_.kind == TokenKind::name || token_.kind == TokenKind::open ||
           token_.kind == TokenKind::open_block;
  }

  Schedule& schedule_;
  TextBuffer& error_;
  Lexer lexer_;
  Token token_;
  std::size_t previous_end_ = 0;
};

bool Parser::fail(std::uint32_t at, std::string_view first, std::string_view second,
                  std::string_view third) {
  put_position(error_, schedule_.source(), at);
  error_ << first << second << third;
  return false;
}

// What stands here is not what should. Says first what no schedule can contain at all.
bool Parser::expected(std::string_view what) {
  if (token_.kind == TokenKind::open_comment)
    return fail(token_.at, "this comment is never closed");
  if (token_.kind == TokenKind::bad) {
    unsigned char c = static_cast<unsigned char>(token_.text[0]);
    if (c < 0x20 || c >= 0x7f)
      return fail(token_.at, "expected ", what, ", not a character that no schedule contains");
    if (token_.text == "-") return fail(token_.at, "expected ", what, "; an arrow is \"->\"");
    if (token_.text == "&") return fail(token_.at, "expected ", what, "; \"and\" is \"&&\"");
    if (token_.text == "|") return fail(token_.at, "expected ", what, "; \"or\" is \"||\"");
    if (token_.text == "!")
      return fail(token_.at, "expected ", what, "; there is no negation in schedules");
  }
  fail(token_.at, "expected ", what);
  if (token_.kind == TokenKind::end) {
    error_ << ", but the schedule ends here";
  } else {
    error_ << ", not \"" << token_.text << "\"";
  }
  return false;
}

bool Parser::parse() {
  if (token_.kind == TokenKind::end)
    return fail(token_.at, "expected an ordering such as \"a -> b\", but the schedule is empty");
  if (!ordering()) return false;
  while (token_.kind != TokenKind::end) {
    if (token_.kind == TokenKind::arrow)
      return fail(token_.at, "orderings cannot be chained: write \"a -> b, b -> c\"");
    bool comma = token_.kind == TokenKind::comma;
    if (comma) advance();
    if (!begins_term())
      return expected(comma ? "an ordering after \",\"" : "\",\" or another ordering");
    if (!ordering()) return false;
  }
  return true;
}

bool Parser::ordering() {
  if (schedule_.ordering_count == kOrderingsMax)
    return fail(token_.at, "too many orderings: a schedule has at most 256");
  Ordering result;
  std::uint32_t begin = token_.at;
  result.first = schedule_.code_count;
  if (!condition(0)) return false;
  result.count = static_cast<std::uint16_t>(schedule_.code_count - result.first);
  if (token_.kind != TokenKind::arrow)
    return expected("\"->\", \"&&\" or \"||\" after the condition");
  advance();
  if (token_.kind == TokenKind::open_block)
    return fail(token_.at, "a block event such as \"[e]\" can only stand on the left of \"->\"");
  if (token_.kind == TokenKind::open)
    return fail(token_.at, "expected one event after \"->\", without parentheses");
  result.event = event(" after \"->\"");
  if (result.event == kNoEvent) return false;
  if (token_.kind == TokenKind::both || token_.kind == TokenKind::either)
    return fail(token_.at, "only one event can stand on the right of \"->\": write an ordering ",
                "for each");
  result.source = {static_cast<std::uint16_t>(begin),
                   static_cast<std::uint16_t>(previous_end_ - begin)};
  schedule_.orderings[schedule_.ordering_count++] = result;
  return true;
}

bool Parser::condition(unsigned depth) {
  if (!both(depth)) return false;
  while (token_.kind == TokenKind::either) {
    advance();
    if (!begins_term()) return expected("an event after \"||\"");
    if (!both(depth) || !emit(Op::either, 0)) return false;
  }
  return true;
}

bool Parser::both(unsigned depth) {
  if (!term(depth)) return false;
  while (token_.kind == TokenKind::both) {
    advance();
    if (!begins_term()) return expected("an event after \"&&\"");
    if (!term(depth) || !emit(Op::both, 0)) return false;
  }
  return true;
}

bool Parser::term(unsigned depth) {
  if (token_.kind == TokenKind::open_block) return block_event();
  if (token_.kind != TokenKind::open) {
    EventIndex index = event("");
    return index != kNoEvent && emit(Op::occurred, index);
  }
  if (depth == kNestingMax) return fail(token_.at, "parentheses are nested too deeply");
  std::uint32_t opened = token_.at;
  advance();
  if (!begins_term()) return expected("an event after \"(\"");
  if (!condition(depth + 1)) return false;
  if (token_.kind != TokenKind::close) {
    if (token_.kind == TokenKind::end) return fail(opened, "this \"(\" is never closed");
    return expected("\")\", \"&&\" or \"||\"");
  }
  advance();
  return true;
}

bool Parser::block_event() {
  std::uint32_t opened = token_.at;
  advance();
  EventIndex index = event(" after \"[\"");
  if (index == kNoEvent) return false;
  if (token_.kind != TokenKind::close_block) {
    if (token_.kind == TokenKind::end) return fail(opened, "this \"[\" is never closed");
    return expected("\"]\" after the event: a block event holds one");
  }
  advance();
  return emit(Op::blocked, index);
}

EventIndex Parser::event(std::string_view expected_after) {
  if (token_.kind != TokenKind::name) {
    char what[64];
    TextBuffer words(what, sizeof what);
    words << "an event" << expected_after;
    expected(words.text());
    return kNoEvent;
  }
  Token name = token_;
  if (name.text.size() > kNameMax) {
    fail(name.at, "the name of an event has at most 127 characters");
    return kNoEvent;
  }
  Event result;
  result.name = span_of(name.text);
  if (name.text == "start") result.kind = EventKind::start;
  if (name.text == "end") result.kind = EventKind::end;
  advance();
  if (token_.kind == TokenKind::hash && !occurrence(name, result)) return kNoEvent;
  if (token_.kind == TokenKind::at && !thread(result)) return kNoEvent;
  if (token_.kind == TokenKind::hash) {
    fail(token_.at, "the occurrence stands before the thread: e#2@t");
    return kNoEvent;
  }
  if (result.kind != EventKind::named && result.thread.size == 0) {
    fail(name.at, "\"", name.text, "\" is the event of a thread and needs its name: ");
    error_ << name.text << "@thread";
    return kNoEvent;
  }
  return intern(result, name.at);
}

bool Parser::occurrence(const Token& name, Event& event) {
  std::string_view digits = lexer_.digits();
  std::uint32_t value = 0;
  for (char c : digits) {
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
    if (value > kOccurrenceMax)
      return fail(token_.at + 1, "an occurrence is a number up to 65535, not ", digits);
  }
  if (digits.empty()) return fail(token_.at + 1, "expected a number after \"#\", as in e#2");
  if (value == 0)
    return fail(token_.at + 1, "occurrences count from 1: the first is ", name.text, "#1");
  event.occurrence = static_cast<std::uint16_t>(value);
  token_ = {TokenKind::hash, token_.at, {schedule_.text + token_.at, digits.size() + 1}};
  advance();
  return true;
}

bool Parser::thread(Event& event) {
  std::string_view name = lexer_.thread_name();
  if (name.empty()) return fail(token_.at + 1, "expected the name of a thread after \"@\"");
  if (name.size() > kThreadNameMax)
    return fail(token_.at + 1, "the name of a thread has at most 31 characters");
  event.thread = span_of(name);
  token_ = {TokenKind::at, token_.at, {schedule_.text + token_.at, name.size() + 1}};
  advance();
  return true;
}

EventIndex Parser::intern(const Event& event, std::uint32_t at) {
  for (EventIndex i = 0; i < schedule_.event_count; ++i) {
    const Event& known = schedule_.events[i];
    if (known.occurrence == event.occurrence &&
        schedule_.view(known.name) == schedule_.view(event.name) &&
        schedule_.view(known.thread) == schedule_.view(event.thread))
      return i;
  }
  if (schedule_.event_count == kEventsMax) {
    fail(at, "too many events: a schedule has at most 256");
    return kNoEvent;
  }
  schedule_.events[schedule_.event_count] = event;
  return schedule_.event_count++;
}

bool Parser::emit(Op op, EventIndex event) {
  if (schedule_.code_count == kCodeMax)
    return fail(token_.at, "the conditions of this schedule are too long: it has at most 2048 ",
                "events and operators on the left of \"->\"");
  schedule_.code[schedule_.code_count++] = {op, event};
  return true;
}

}  // namespace

void put_position(TextBuffer& out, std::string_view text, std::size_t offset) {
  Position position = position_of(text, offset);
  if (text.find('\n') != std::string_view::npos) out << "line " << position.line << ", ";
  out << "column " << position.column << ": ";
}

bool parse_schedule(std::string_view text, Schedule& schedule, TextBuffer& error) {
  schedule.event_count = schedule.ordering_count = schedule.code_count = schedule.text_size = 0;
  if (text.size() > kScheduleTextMax) {
    error << "the schedule has " << static_cast<std::uint32_t>(text.size())
          << " characters, at most " << kScheduleTextMax << " are allowed";
    return false;
  }
  schedule.text_size = static_cast<std::uint16_t>(text.size());
  if (!text.empty()) std::memcpy(schedule.text, text.data(), text.size());
  return Parser(schedule, error).parse();
}

}  // namespace raddle::dsl
