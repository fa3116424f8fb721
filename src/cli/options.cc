// SPDX-License-Identifier: Apache-2.0
//
// Sorting a command line into options, words and what follows `--`, before CLI11 sees the options.
// Engine side.
#include "cli/options.h"

#include <fmt/core.h>

#include <algorithm>

#include "launch/did_you_mean.h"

namespace raddle::cli {
namespace {

// CLI11's usage line knows nothing of programs and their arguments.
class HelpText : public CLI::Formatter {
 public:
  explicit HelpText(std::string usage) : usage_(std::move(usage)) { column_width(26); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

Options::Options(const std::string& command, const std::string& usage, Words rule)
    : command_(command), rule_(rule), app_("", command) {
  app_.set_help_flag();
  app_.add_flag("-h,--help", help_, "show this and exit");
  app_.formatter(std::make_shared<HelpText>(usage));
  app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

Error Options::unknown(const std::string& option) const {
  // The dashes are never the mistake: compare what follows them.
  std::vector<std::string> names;
  for (const CLI::Option* known : app_.get_options()) {
    if (known->get_group().empty()) continue;  // hidden
    for (const std::string& name : known->get_lnames()) names.push_back(name);
  }
  std::size_t name_at = std::min(option.find_first_not_of('-'), option.size());
  std::string hint = launch::nearest(option.substr(name_at), names);
  hint = hint.empty() ? fmt::format("; see `{} --help`", command_)
                      : fmt::format(", did you mean --{}?", hint);
  return {fmt::format("unknown option {} of `{}`{}", option, command_, hint), kExitUsage};
}

Result<bool> Options::takes_value(const std::string& argument) const {
  std::size_t equals = argument.find('=');
  std::string name = argument.substr(0, equals);
  // By name, not get_option_no_throw(): that one also accepts names without dashes.
  for (const CLI::Option* option : app_.get_options()) {
    if (!option->check_name(name)) continue;
    bool flag = option->get_expected_max() == 0 || option->get_type_size_max() == 0;
    if (flag && equals != std::string::npos)
      return Error{fmt::format("option {} takes no value", name), kExitUsage};
    if (!flag && equals + 1 == argument.size())
      return Error{fmt::format("option {}: its value is empty", name), kExitUsage};
    return !flag && equals == std::string::npos;
  }
  return unknown(name);
}

// Sorts the arguments into options (with their values), words and what follows `--`.
Status Options::split(const Arguments& arguments, Arguments& own) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    if (argument == "--") {
      after_dashes_.assign(rest + 1, arguments.end());
      return Done{};
    }
    bool is_option = argument.size() > 1 && argument[0] == '-';
    if (!is_option) {
      if (rule_ == Words::end_options) {
        words_.assign(rest, arguments.end());
        return Done{};
      }
      words_.push_back(argument);
      continue;
    }
    auto value = takes_value(argument);
    if (!value) return value.error();
    if (!*value) {
      own.push_back(argument);
      continue;
    }
    if (i + 1 == arguments.size() || arguments[i + 1] == "--")
      return Error{fmt::format("option {} needs a value", argument), kExitUsage};
    // In one word, so that a value may begin with a dash (`--json -`).
    if (arguments[++i].empty())
      return Error{fmt::format("option {}: its value is empty", argument), kExitUsage};
    own.push_back(argument + "=" + arguments[i]);
  }
  return Done{};
}

Result<bool> Options::parse(const Arguments& arguments) {
  Arguments own;
  if (auto status = split(arguments, own); !status) return status.error();
  std::reverse(own.begin(), own.end());  // as CLI11 wants it
  try {
    app_.parse(own);
  } catch (const CLI::ParseError& error) {
    return Error{fmt::format("{} (`{} --help` explains the options)", error.what(), command_),
                 kExitUsage};
  }
  if (!help_) return true;
  fmt::print("{}", app_.help());
  return false;
}

}  // namespace raddle::cli
