// SPDX-License-Identifier: Apache-2.0
//
// Parsing a schedule (docs/schedule-format.md). Engine side. Input may be anything, since people
// edit these files: every path ends in a Schedule or in an Error that names file, line, what was
// expected and what was found.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "facts/schedule.h"
#include "facts/schedule_text.h"

namespace raddle::facts {
namespace {

using wire::ChoiceRecord;
using wire::OpKind;
using Words = std::vector<std::string>;

// Keeps a slip of the pen in a repeat count from eating all memory: 128 MiB of choices.
constexpr std::uint64_t kChoicesMax = 1u << 24;

struct TextKey {
  std::string_view name;
  std::string Schedule::*field;
};
constexpr TextKey kTextKeys[] = {
    {"directory", &Schedule::directory}, {"build-id", &Schedule::build_id},
    {"test", &Schedule::test},           {"stdin", &Schedule::stdin_file},
    {"before", &Schedule::before},       {"check", &Schedule::check},
    {"kind", &Schedule::kind},           {"message", &Schedule::message},
};

template <class Number>
struct NumberKey {
  std::string_view name;
  Number Schedule::*field;
};
constexpr NumberKey<std::uint32_t> kNumberKeys[] = {
    {"spurious", &Schedule::spurious},
    {"races", &Schedule::races},
    {"max-steps", &Schedule::max_steps},
    {"steps", &Schedule::steps},
};
constexpr NumberKey<std::uint64_t> kLongKeys[] = {
    {"seed", &Schedule::seed},
    {"events-hash", &Schedule::events_hash},
};
constexpr NumberKey<int> kSignedKeys[] = {{"expect-exit", &Schedule::expect_exit}};

bool is_key(std::string_view word) {
  auto named = [word](const auto& key) { return key.name == word; };
  return word == "program" || word == "site" || word == "points" || word == "timers" ||
         word == "idle" || word == "exit" || std::ranges::any_of(kTextKeys, named) ||
         std::ranges::any_of(kNumberKeys, named) || std::ranges::any_of(kLongKeys, named) ||
         std::ranges::any_of(kSignedKeys, named);
}

std::string shown(const Words& words, std::size_t index) {
  if (index >= words.size()) return "the end of the line";
  constexpr std::size_t kShownMax = 60;
  std::string word = words[index].substr(0, kShownMax);
  return "`" + quote_word(word) + (words[index].size() > kShownMax ? "…`" : "`");
}

std::optional<OpKind> op_kind(std::string_view word) {
  for (unsigned i = 0; i < static_cast<unsigned>(OpKind::count); ++i)
    if (word == wire::kOpWords[i]) return static_cast<OpKind>(i);
  return std::nullopt;
}

class ScheduleParser {
 public:
  ScheduleParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  Result<Schedule> parse() {
    Status status = header();
    if (status) status = keys();
    if (status) status = choices();
    if (status) status = nothing_more();
    if (!status) return status.error();
    return std::move(schedule_);
  }

 private:
  Error fail(const std::string& message) const {
    return Error{fmt::format("{}:{}: {}", name_, line_, message), kExitUsage};
  }
  Error expected(std::string_view what, const Words& words, std::size_t index) const {
    return fail(fmt::format("expected {}, found {}", what, shown(words, index)));
  }
  Error truncated(std::string_view what) const {
    return fail(fmt::format("truncated: expected {}, found the end of the file", what));
  }

  // The words of the next line that has any; none at the end of the text.
  Result<Words> next_line() {
    while (!rest_.empty()) {
      std::size_t end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_;
      Result<Words> words = split_words(line);
      if (!words) return fail(words.error().message);
      if (!words->empty()) return words;
    }
    return Words();
  }

  Status header() {
    Result<Words> words = next_line();
    if (!words) return words.error();
    if (words->empty()) return Error{name_ + ": the file is empty: expected a schedule"};
    if ((*words)[0] != "raddle-schedule")
      return expected(fmt::format("`raddle-schedule {}`: this is not a schedule", kScheduleVersion),
                      *words, 0);
    std::optional<std::uint32_t> version;
    if (words->size() > 1) version = parse_number<std::uint32_t>((*words)[1]);
    if (!version || *version == 0) return expected("the format's number", *words, 1);
    if (*version > kScheduleVersion)
      return Error{fmt::format("{}: schedule format {} is newer than this raddle understands ({})",
                               name_, *version, kScheduleVersion)};
    if (words->size() > 2) return expected("the end of the line", *words, 2);
    return Done{};
  }

  Status keys() {
    while (true) {
      Result<Words> words = next_line();
      if (!words) return words.error();
      if (words->empty()) return truncated("`choices`");
      const std::string& key = (*words)[0];
      if (key == "choices") {
        if (words->size() > 1) return expected("the end of the line", *words, 1);
        if (schedule_.program.empty()) return fail("expected a `program` line before `choices`");
        return Done{};
      }
      if (key != "site" && !seen_.insert(key).second)
        return fail(fmt::format("expected every key once, found `{}` again", key));
      Status status = one_key(*words);
      if (!status) return status;
    }
  }

  Status one_key(const Words& words) {
    const std::string& key = words[0];
    if (!is_key(key)) return expected("a key or `choices`", words, 0);
    if (words.size() < 2) return expected(fmt::format("a value after `{}`", key), words, 1);
    if (key == "program") {
      schedule_.program.assign(words.begin() + 1, words.end());
      return Done{};
    }
    if (words.size() > 2) return expected("the end of the line", words, 2);
    return value_of(key, words);
  }

  template <class Number>
  Status number(Number Schedule::*field, const Words& words) {
    std::optional<Number> value = parse_number<Number>(words[1]);
    if (!value) return expected(fmt::format("a number after `{}`", words[0]), words, 1);
    schedule_.*field = *value;
    return Done{};
  }

  template <class Enum, std::size_t kCount>
  Status one_of(Enum Schedule::*field, const std::string_view (&names)[kCount],
                const Words& words) {
    for (std::size_t i = 0; i < kCount; ++i)
      if (names[i] == words[1]) {
        schedule_.*field = static_cast<Enum>(i);
        return Done{};
      }
    return expected(fmt::format("one of {}", fmt::join(names, ", ")), words, 1);
  }

  Status value_of(const std::string& key, const Words& words) {
    if (key == "site") return site(words);
    if (key == "points") return one_of(&Schedule::points, kPointsWords, words);
    if (key == "timers") return one_of(&Schedule::timers, kTimersWords, words);
    if (key == "idle") return one_of(&Schedule::idle, kIdleWords, words);
    if (key == "exit") return one_of(&Schedule::exit, kExitWords, words);
    for (const TextKey& text : kTextKeys)
      if (text.name == key) {
        schedule_.*text.field = words[1];
        return Done{};
      }
    for (const auto& entry : kNumberKeys)
      if (entry.name == key) return number(entry.field, words);
    for (const auto& entry : kLongKeys)
      if (entry.name == key) return number(entry.field, words);
    RADDLE_CHECK(key == kSignedKeys[0].name);
    return number(kSignedKeys[0].field, words);
  }

  Status site(const Words& words) {
    std::size_t plus = words[1].rfind('+');
    std::optional<std::uint64_t> offset;
    if (plus != std::string::npos && words[1].compare(plus + 1, 2, "0x") == 0)
      offset = parse_number<std::uint64_t>(std::string_view(words[1]).substr(plus + 1));
    if (!offset) return expected("MODULE+0xOFFSET", words, 1);
    schedule_.sites.push_back({words[1].substr(0, plus), *offset});
    return Done{};
  }

  Status choices() {
    while (true) {
      Result<Words> words = next_line();
      if (!words) return words.error();
      if (words->empty()) return truncated("`end`");
      const std::string& first = (*words)[0];
      if (first == "end") {
        if (words->size() > 1) return expected("the end of the line", *words, 1);
        return Done{};
      }
      Status status = first[0] == '@' ? value_choice(*words) : thread_choices(*words);
      if (!status) return status;
    }
  }

  Result<StepIndex> step(const Words& words, std::size_t index) const {
    if (index < words.size() && words[index] == "@-") return wire::kAnyStep;
    std::optional<StepIndex> number;
    if (index < words.size() && words[index].starts_with('@'))
      number = parse_number<StepIndex>(std::string_view(words[index]).substr(1));
    if (!number || *number == wire::kAnyStep) return expected("@STEP or @-", words, index);
    return *number;
  }

  // @STEP value V [of BOUND]
  Status value_choice(const Words& words) {
    Result<StepIndex> at = step(words, 0);
    if (!at) return at.error();
    if (words.size() < 2 || words[1] != "value") return expected("`value`", words, 1);
    std::optional<std::uint16_t> picked;
    if (words.size() > 2) picked = parse_number<std::uint16_t>(words[2]);
    if (!picked) return expected("the value that was chosen", words, 2);
    std::optional<std::uint8_t> bound = 0;
    if (words.size() > 3) {
      if (words[3] != "of") return expected("`of`", words, 3);
      bound = words.size() > 4 ? parse_number<std::uint8_t>(words[4]) : std::nullopt;
      if (!bound || *bound == 0) return expected("how many values there were (1 to 255)", words, 4);
      if (words.size() > 5) return expected("the end of the line", words, 5);
      if (*bound < 255 && *picked >= *bound)
        return expected(fmt::format("a value below {}", *bound), words, 2);
    }
    return append({*at, *picked, OpKind::value, *bound}, 1);
  }

  // T<N> (@STEP KIND[/ENABLED] [x<COUNT>])+
  Status thread_choices(const Words& words) {
    std::optional<std::uint16_t> thread;
    if (words[0].starts_with('T'))
      thread = parse_number<std::uint16_t>(std::string_view(words[0]).substr(1));
    if (!thread || *thread >= kMaxThreads)
      return expected("a thread such as T3, a value choice such as `@12 value 3 of 8`, or `end`",
                      words, 0);
    std::size_t index = 1;
    do {
      Result<StepIndex> at = step(words, index);
      if (!at) return at.error();
      ChoiceRecord choice{*at, *thread, OpKind::none, 0};
      Status status = operation(words, index + 1, choice);
      if (!status) return status;
      index += 2;
      std::uint64_t repeats = 1;
      if (index < words.size() && words[index][0] == 'x') {
        auto count = parse_number<std::uint32_t>(std::string_view(words[index]).substr(1));
        if (!count || *count == 0) return expected("a count such as x5", words, index);
        repeats = *count;
        ++index;
      }
      status = append(choice, repeats);
      if (!status) return status;
    } while (index < words.size());
    return Done{};
  }

  // KIND[/ENABLED]; `-` is any kind.
  Status operation(const Words& words, std::size_t index, ChoiceRecord& choice) const {
    if (index >= words.size()) return expected("an operation such as lock/2", words, index);
    std::string_view word = words[index];
    std::size_t slash = word.rfind('/');
    if (slash != std::string_view::npos) {
      auto enabled = parse_number<std::uint8_t>(word.substr(slash + 1));
      if (!enabled || *enabled == 0)
        return expected("an operation and how many threads were enabled, such as lock/2", words,
                        index);
      choice.enabled = *enabled;
      word = word.substr(0, slash);
    }
    if (word == "-") return Done{};
    std::optional<OpKind> kind = op_kind(word);
    if (!kind || *kind == OpKind::none || *kind == OpKind::value)
      return expected("an operation such as lock, read or atomic-load, or `-`", words, index);
    choice.kind = *kind;
    return Done{};
  }

  Status append(ChoiceRecord choice, std::uint64_t repeats) {
    if (schedule_.choices.size() + repeats > kChoicesMax)
      return fail(fmt::format("expected at most {} choices, found more", kChoicesMax));
    if (choice.step != wire::kAnyStep && choice.step + repeats > wire::kAnyStep)
      return fail("expected steps below 4294967295, found more");
    for (std::uint64_t i = 0; i < repeats; ++i) {
      schedule_.choices.push_back(choice);
      if (choice.step != wire::kAnyStep) ++choice.step;
    }
    return Done{};
  }

  Status nothing_more() {
    Result<Words> words = next_line();
    if (!words) return words.error();
    if (!words->empty()) return expected("nothing after `end`", *words, 0);
    return Done{};
  }

  std::string_view rest_;
  const std::string& name_;
  int line_ = 0;
  Schedule schedule_;
  std::set<std::string> seen_;
};

}  // namespace

Result<Schedule> parse_schedule(std::string_view text, const std::string& name) {
  return ScheduleParser(text, name).parse();
}

}  // namespace raddle::facts
