// SPDX-License-Identifier: Apache-2.0
//
// Option tables and the scan over them; see command_scan.h.
#include "cc/command_scan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace raddle::cc {
namespace {

// Lists are text: names between single blanks, with a blank at both ends.
bool listed(std::string_view list, std::string_view name) {
  if (name.empty() || name.find(' ') != std::string_view::npos) return false;
  for (size_t at = list.find(name); at != list.npos; at = list.find(name, at + 1)) {
    if (list[at - 1] == ' ' && list[at + name.size()] == ' ') return true;
  }
  return false;
}

// Options that take the next word as their value when nothing is joined to them.
constexpr std::string_view kOptionsWithValue =
    " -o -x -I -L -D -U -l -A -B -F -G -J -R -T -b -e -h -u -z -MF -MT -MQ -include -imacros"
    " -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib"
    " -imultiarch -iframework -ivfsoverlay -include-pch -cxx-isystem -c-isystem -isystem-after"
    " -stdlib++-isystem -Xlinker -Xassembler -Xpreprocessor -Xclang -Xanalyzer -Xopenmp-target"
    " -mllvm -aux-info -wrapper -dumpbase -dumpbase-ext -dumpdir -target -arch -gcc-toolchain"
    " -framework -rpath -mthread-model -entry -Tbss -Tdata -Ttext -working-directory -specs"
    " -serialize-diagnostics -sysroot --param --sysroot --specs --entry --output --language"
    " --include --imacros --include-directory --include-directory-after --include-prefix"
    " --include-with-prefix --include-with-prefix-after --include-with-prefix-before --config"
    " --library-directory --define-macro --undefine-macro --assert --dump --dumpbase"
    " --dumpbase-ext --dumpdir --for-assembler --for-linker --force-link --prefix"
    " --serialize-diagnostics --working-directory --write-dependencies"
    " --write-user-dependencies ";

constexpr std::string_view kPreprocessOptions =
    " -E --preprocess -M -MM --dependencies --user-dependencies ";

constexpr std::string_view kCompileOptions =
    " -c -S -fsyntax-only --compile --assemble --precompile --analyze -emit-ast -extract-api"
    " -verify-pch -rewrite-objc -module-file-info ";

// Questions that the driver answers itself, whatever else stands on the command line.
constexpr std::string_view kQuestions =
    " --version -dumpversion -dumpfullversion -dumpmachine -dumpspecs --help -help --help-hidden"
    " --target-help -cc1 -cc1as ";

bool is_question(std::string_view option) {
  return listed(kQuestions, option) || option.starts_with("-print-") ||
         option.starts_with("--print-") || option.starts_with("--help=");
}

// Sanitizers with a runtime or a memory layout of their own. The rest (undefined and its checks,
// cfi, fuzzer, ...) only add code beside raddle's.
constexpr std::string_view kClashingSanitizers =
    " address kernel-address hwaddress kernel-hwaddress pointer-compare pointer-subtract memory"
    " kernel-memory leak dataflow realtime safe-stack memtag memtag-stack memtag-heap"
    " memtag-globals scudo type numerical ";

// By suffix. Languages other than C and C++ are here because the same drivers compile them.
constexpr std::string_view kSources =
    " c i cc cp cxx cpp CPP c++ C ii cppm ixx ccm cxxm c++m m mi mm M mii ll bc cu cui cl hip f for"
    " ftn f90 f95 f03 f08 F FOR FTN F90 F95 F03 F08 d go adb ads ";
constexpr std::string_view kHeaders = " h hh H hp hxx hpp HPP h++ tcc ";
constexpr std::string_view kAssembler = " s S sx ";

// Of these, what the preprocessor has been through already, and what it never sees.
constexpr std::string_view kNotPreprocessed =
    " i ii mi mii cui ll bc f for ftn f90 f95 f03 f08 F FOR FTN F90 F95 F03 F08 d go adb ads ";

enum class InputKind { kSource, kHeader, kAssembler, kObject };

InputKind kind_of_path(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) {
    return InputKind::kObject;
  }
  const std::string_view suffix = path.substr(dot + 1);
  if (listed(kSources, suffix)) return InputKind::kSource;
  if (listed(kHeaders, suffix)) return InputKind::kHeader;
  return listed(kAssembler, suffix) ? InputKind::kAssembler : InputKind::kObject;
}

InputKind kind_of_input(std::string_view path, std::string_view language) {
  if (language.empty() || language == "none") return kind_of_path(path);
  if (language.starts_with("assembler")) return InputKind::kAssembler;
  return language.ends_with("-header") ? InputKind::kHeader : InputKind::kSource;
}

bool goes_through_preprocessor(std::string_view path, std::string_view language) {
  if (language.empty() || language == "none") {
    const size_t dot = path.rfind('.');
    return dot != std::string_view::npos && !listed(kNotPreprocessed, path.substr(dot + 1));
  }
  return !language.ends_with("cpp-output") &&
         (language.starts_with("c") || language.starts_with("objective-c"));
}

// The value of an option written "-name=value", "-namevalue" or as two words; null if it is
// another.
const char* joined_value(const Token& token, std::string_view prefix) {
  if (!std::string_view(token.text).starts_with(prefix)) return nullptr;
  if (token.text.size() > prefix.size()) return token.text.c_str() + prefix.size();
  return token.value.c_str();
}

class Scanner {
 public:
  void option(const Token& token);
  void input(const Token& token) {
    const InputKind kind = kind_of_input(token.text, language_);
    any_input_ = true;
    (kind == InputKind::kHeader ? any_header_ : any_other_file_) = true;
    if (kind != InputKind::kSource && kind != InputKind::kHeader) return;
    scan_.compiles = true;
    if (goes_through_preprocessor(token.text, language_)) scan_.preprocesses = true;
  }
  void separator(const Token& token) {
    if (!separator_) separator_ = token.begin;
  }
  CommandScan finish(size_t word_count);

 private:
  void sanitizers(const std::string& flag, const std::string& list, bool on);
  void linker_item(const std::string& item);
  bool phase_option(const std::string& text);
  void code_option(const Token& token);

  CommandScan scan_;
  Phase phase_ = Phase::kLink;
  std::string language_;             // by -x; empty: the suffix decides
  std::optional<size_t> separator_;  // the word "--", if any
  bool any_input_ = false;
  bool any_header_ = false;
  bool any_other_file_ = false;
  std::map<std::string, std::string> clashes_;  // sanitizer -> the flag that switched it on
};

void Scanner::sanitizers(const std::string& flag, const std::string& list, bool on) {
  for (const std::string& name : split_commas(list)) {
    if (name == "thread" || (name == "all" && !on)) scan_.instrument = on;
    if (name == "all" && !on) clashes_.clear();
    if (!on) {
      clashes_.erase(name);
    } else if (listed(kClashingSanitizers, name)) {
      clashes_[name] = flag;
    }
  }
}

// A word for the linker: a file counts as an input, so that a link of nothing but -Wl,x.a is one;
// an option alone (-Wl,--version) does not.
void Scanner::linker_item(const std::string& item) {
  if (item == "-r" || item == "-i" || item == "--relocatable") scan_.relocatable = true;
  if (!item.empty() && item[0] != '-') any_input_ = true;
}

bool Scanner::phase_option(const std::string& text) {
  Phase phase = Phase::kLink;
  if (is_question(text)) {
    phase = Phase::kNone;
  } else if (listed(kPreprocessOptions, text)) {
    phase = Phase::kPreprocess;
  } else if (listed(kCompileOptions, text)) {
    phase = Phase::kCompile;
  } else {
    return false;
  }
  phase_ = std::min(phase_, phase);  // of several such options the earliest phase wins
  return true;
}

void Scanner::code_option(const Token& token) {
  const std::string& text = token.text;
  const std::string_view view = text;
  if (const char* on = joined_value(token, "-fsanitize=")) {
    sanitizers(text, on, true);
  } else if (const char* off = joined_value(token, "-fno-sanitize=")) {
    sanitizers(text, off, false);
  } else if (const char* list = joined_value(token, "-fsanitize-ignorelist=")) {
    scan_.ignorelists.emplace_back(list);
  } else if (const char* old_list = joined_value(token, "-fsanitize-blacklist=")) {
    scan_.ignorelists.emplace_back(old_list);
  } else if (text == "-fno-sanitize-ignorelist" || text == "-fno-sanitize-blacklist") {
    scan_.ignorelists.clear();
  } else if (text == "-m32" || text == "-mx32" || text == "-m16") {
    scan_.narrow_flag = text;
  } else if (text == "-m64") {
    scan_.narrow_flag.clear();
  } else if (view.starts_with("-gstabs") || view.starts_with("-gxcoff") ||
             view.starts_with("-gvms")) {
    scan_.old_debug_format = true;
  }
}

void Scanner::option(const Token& token) {
  const std::string& text = token.text;
  if (phase_option(text)) return;
  if (text == "--language") {
    language_ = token.value;
  } else if (const char* long_language = joined_value(token, "--language=")) {
    language_ = long_language;
  } else if (const char* language = joined_value(token, "-x")) {
    language_ = language;
  } else if (text == "-static" || text == "--static" || text == "-static-pie") {
    scan_.static_flag = text;
  } else if (text == "-r") {
    scan_.relocatable = true;
  } else if (text == "-Xlinker") {
    linker_item(token.value);
  } else if (text.starts_with("-Wl,")) {
    for (const std::string& item : split_commas(text.substr(4))) linker_item(item);
  } else if (joined_value(token, "-l") != nullptr) {
    any_input_ = true;
  } else {
    code_option(token);
  }
}

CommandScan Scanner::finish(size_t word_count) {
  scan_.phase = any_input_ ? phase_ : Phase::kNone;
  // Headers alone are precompiled.
  if (any_header_ && !any_other_file_) scan_.phase = std::min(scan_.phase, Phase::kCompile);
  if (!clashes_.empty()) {
    scan_.clash_name = clashes_.begin()->first;
    scan_.clash_flag = clashes_.begin()->second;
  }
  scan_.tail = separator_.value_or(word_count);
  return scan_;
}

}  // namespace

std::vector<std::string> split_commas(const std::string& list) {
  std::vector<std::string> items;
  size_t begin = 0;
  for (size_t comma; (comma = list.find(',', begin)) != std::string::npos; begin = comma + 1) {
    items.push_back(list.substr(begin, comma - begin));
  }
  items.push_back(list.substr(begin));
  return items;
}

std::vector<Token> tokenize(const std::vector<std::string>& words) {
  std::vector<Token> tokens;
  bool only_inputs = false;
  for (size_t i = 0; i < words.size();) {
    const std::string& word = words[i];
    Token token{only_inputs || word == "-" || word.empty() || word[0] != '-', word, {}, i, i + 1};
    if (!token.is_input && word == "--") {
      only_inputs = true;
    } else if (!token.is_input && listed(kOptionsWithValue, word) && i + 1 < words.size()) {
      token.value = words[i + 1];
      token.end = i + 2;
    }
    i = token.end;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

CommandScan scan_command(const std::vector<Token>& tokens) {
  Scanner scanner;
  for (const Token& token : tokens) {
    if (token.is_input) {
      scanner.input(token);
    } else if (token.text == "--") {
      scanner.separator(token);
    } else {
      scanner.option(token);
    }
  }
  return scanner.finish(tokens.empty() ? 0 : tokens.back().end);
}

}  // namespace raddle::cc
