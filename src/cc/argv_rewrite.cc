// SPDX-License-Identifier: Apache-2.0
//
// Decides, then edits; see argv_rewrite.h.
#include "cc/argv_rewrite.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "cc/command_scan.h"

namespace raddle::cc {
namespace {

// What becomes of one word of the command line: kept as it is, replaced, or dropped.
struct Edit {
  bool changed = false;
  std::string text;  // of a changed word; empty: dropped
};

std::optional<Error> refusal(const CommandScan& scan, bool instruments, bool links) {
  if (!scan.clash_flag.empty()) {
    return Error{scan.clash_flag + ": raddle's runtime cannot share a process with the " +
                 scan.clash_name + " sanitizer; build a separate configuration without " +
                 scan.clash_flag + " for raddle"};
  }
  if (links && !scan.static_flag.empty()) {
    return Error{scan.static_flag +
                 ": raddle needs a dynamically linked program, because its runtime is a shared "
                 "library; build without " +
                 scan.static_flag + " (-static-libgcc and -static-libstdc++ are fine)"};
  }
  if ((instruments || links) && !scan.narrow_flag.empty()) {
    return Error{scan.narrow_flag + ": raddle runs 64-bit programs only; build without " +
                 scan.narrow_flag};
  }
  return std::nullopt;
}

// The list without `thread`; empty if nothing else was in it.
std::string without_thread(const std::string& list) {
  std::string rest;
  for (const std::string& name : split_commas(list)) {
    if (name == "thread" || name.empty()) continue;
    rest += (rest.empty() ? "" : ",") + name;
  }
  return rest;
}

// The user's own requests for the thread sanitizer: raddle's take their place.
Edit edit_sanitizer_option(const std::string& text) {
  for (const char* prefix : {"-fsanitize=", "-fno-sanitize="}) {
    if (!text.starts_with(prefix)) continue;
    const std::string list = text.substr(std::string_view(prefix).size());
    const std::string rest = without_thread(list);
    if (rest == list) return {};
    return {true, rest.empty() ? "" : prefix + rest};
  }
  if (text == "-static-libtsan" || text == "-ltsan" || text.starts_with("-fsanitize-thread-") ||
      text.starts_with("-fno-sanitize-thread-")) {
    return {true, ""};
  }
  return {};
}

bool is_lto_option(const std::string& text) {
  // -fwhole-program goes too: without -flto it would hide what other files refer to.
  return text == "-flto" || text.starts_with("-flto=") || text == "-fwhole-program";
}

bool asks_for_lto(const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    if (!token.is_input && (token.text == "-flto" || token.text.starts_with("-flto="))) return true;
  }
  return false;
}

std::vector<Edit> edit_words(const std::vector<Token>& tokens, size_t word_count, bool drop_lto) {
  std::vector<Edit> edits(word_count);
  const bool lto = drop_lto && asks_for_lto(tokens);
  for (const Token& token : tokens) {
    if (token.is_input) continue;
    Edit edit = edit_sanitizer_option(token.text);
    if ((lto && is_lto_option(token.text)) || (token.text == "-l" && token.value == "tsan")) {
      edit = {true, ""};
    }
    if (!edit.changed) continue;
    edits[token.begin] = edit;
    for (size_t i = token.begin + 1; i < token.end; ++i) edits[i].changed = true;
  }
  return edits;
}

void append_for_linker(std::vector<std::string>& args, const std::vector<std::string>& items) {
  // -Xlinker rather than -Wl: a path may hold a comma.
  for (const std::string& item : items) args.insert(args.end(), {"-Xlinker", item});
}

// Options that stand first, so that the user's own, which follow, win; and the runtime.
std::vector<std::string> head_options(Family family, const CommandScan& scan, bool links,
                                      const std::string& runtime_dir) {
  std::vector<std::string> head;
  if (scan.compiles && scan.instrument && scan.phase != Phase::kPreprocess) {
    if (!scan.old_debug_format) head.push_back("-g");
    head.push_back("-fno-omit-frame-pointer");
    if (family == Family::kGcc) {
      head.push_back("-Wno-tsan");  // clang 14 does not know -Wtsan
      head.push_back("@" + runtime_dir + "/" + kGccOptionsFile);
    } else {
      // Otherwise clang reports `x = x + 1` as one write, and no other thread could come between.
      head.insert(head.end(), {"-mllvm", "-tsan-instrument-read-before-write=1"});
    }
  }
  if (links) {
    append_for_linker(
        head, {"--push-state", "--no-as-needed", runtime_dir + "/" + kRuntimeFile, "--pop-state"});
    head.push_back("@" + runtime_dir + "/" + kLinkOptionsFile);
  }
  return head;
}

// Raddle's headers: beside the runtime's directory. Empty if the compiler looks there by itself:
// named once more, its own directories would change their order.
std::string include_dir(const std::string& runtime_dir) {
  const std::string dir = runtime_dir.substr(0, runtime_dir.rfind('/')) + "/include";
  return dir == "/usr/include" || dir == "/usr/local/include" ? "" : dir;
}

// Options that stand last: instrumentation, which nothing before may undo, and the run path, which
// comes after the user's because the runtime's directory may hold other libraries too.
std::vector<std::string> tail_options(Family family, const CommandScan& scan, bool links,
                                      const std::string& runtime_dir) {
  std::vector<std::string> tail;
  if (const std::string dir = include_dir(runtime_dir); scan.preprocesses && !dir.empty()) {
    tail.insert(tail.end(), {"-isystem", dir});
  }
  if (scan.compiles && scan.instrument) {
    if (scan.phase != Phase::kLink) {
      tail.push_back("-fsanitize=thread");
    } else if (family == Family::kGcc) {
      tail.push_back("-specs=" + runtime_dir + "/" + kSpecsFile);
    } else {
      tail.insert(tail.end(), {"-Xclang", "-fsanitize=thread"});
      // The driver forwards these only for a sanitizer that it knows of.
      for (const std::string& list : scan.ignorelists) {
        tail.insert(tail.end(), {"-Xclang", "-fsanitize-ignorelist=" + list});
      }
    }
  }
  if (links) {
    append_for_linker(tail, {"--push-state", "--as-needed", runtime_dir + "/" + kCheckFile,
                             "--pop-state", "-rpath", runtime_dir});
  }
  return tail;
}

// The user's arguments with the edits made and `tail` put before word `tail_at`. A response file in
// which nothing changes is handed on as it is.
void append_edited(const std::vector<Argument>& arguments, const std::vector<Edit>& edits,
                   const std::vector<std::string>& tail, size_t tail_at,
                   std::vector<std::string>& out) {
  size_t next = 0;
  for (const Argument& argument : arguments) {
    const size_t begin = next;
    next += argument.words.size();
    bool untouched = tail_at < begin || tail_at >= next;
    for (size_t i = begin; i < next; ++i) untouched = untouched && !edits[i].changed;
    if (untouched) {
      out.push_back(argument.original);
      continue;
    }
    for (size_t i = begin; i < next; ++i) {
      if (i == tail_at) out.insert(out.end(), tail.begin(), tail.end());
      if (!edits[i].changed) {
        out.push_back(argument.words[i - begin]);
      } else if (!edits[i].text.empty()) {
        out.push_back(edits[i].text);
      }
    }
  }
  if (tail_at == next) out.insert(out.end(), tail.begin(), tail.end());
}

}  // namespace

Result<Rewrite> rewrite_argv(Family family, const std::vector<Argument>& args,
                             const std::string& runtime_dir) {
  std::vector<std::string> words;
  for (const Argument& arg : args) words.insert(words.end(), arg.words.begin(), arg.words.end());
  const std::vector<Token> tokens = tokenize(words);
  const CommandScan scan = scan_command(tokens);

  Rewrite rewrite;
  if (scan.phase == Phase::kNone) {
    for (const Argument& arg : args) rewrite.args.push_back(arg.original);
    return rewrite;
  }
  const bool instruments = scan.compiles && scan.instrument && scan.phase != Phase::kPreprocess;
  const bool links = scan.phase == Phase::kLink && !scan.relocatable;
  if (std::optional<Error> error = refusal(scan, instruments, links)) return *error;

  rewrite.links_runtime = links;
  rewrite.uses_gcc_options = instruments && family == Family::kGcc;
  rewrite.uses_specs = instruments && scan.phase == Phase::kLink && family == Family::kGcc;
  rewrite.args = head_options(family, scan, links, runtime_dir);
  append_edited(args, edit_words(tokens, words.size(), instruments && family == Family::kGcc),
                tail_options(family, scan, links, runtime_dir), scan.tail, rewrite.args);
  return rewrite;
}

}  // namespace raddle::cc
