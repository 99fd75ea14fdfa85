internal import Platform

/// Makes texts from files safe to show in terminals and service logs: a name could move the cursor,
/// clear the screen, turn the reading direction, look like another name, or begin a line that a
/// service obeys, such as `::error::`.
enum PrintableText {
  /// Escapes what steers a terminal or a service, such as `\u{1B}`; tabs and line breaks too unless
  /// lines are kept.
  static func of(_ text: String, keepsLines: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let beginsCommand =
        scalar == ":" && rest.first == ":" && previous.properties.isWhitespace
        || scalar == "#" && previous == "#"
          && (rest.first == "[" || rest.starts(with: "vso[".unicodeScalars))
      if isControl(scalar, keepsLines) || beginsCommand {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }

  /// On one line, shortened in the middle: the problem is at the beginning, the remedy at the end.
  static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > longestLine else { return of(text) }
    let tail = longestLine / 4
    let left = scalars.count - longestLine
    return of(String(scalars.prefix(longestLine - tail)))
      + " ... (\(left) characters left out) ... " + of(String(scalars.suffix(tail)))
  }

  private static let longestLine = 4000

  private static func isControl(_ scalar: Unicode.Scalar, _ keepsLines: Bool) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: !(keepsLines && (scalar == "\n" || scalar == "\t"))
    case .lineSeparator, .paragraphSeparator: true
    default: unseen.contains(scalar.value)
    }
  }

  private static let unseen: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)
    .union([0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF]).union(0x2060...0x2064)
}

enum PathText {
  /// `a/../b` becomes `b`, unless that names nothing, as behind a symbolic link.
  static func short(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      if part == "..", let last = parts.last, last != "..", last != ".", !last.isEmpty {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    let short = parts.joined(separator: "/")
    return FileManager.default.fileExists(atPath: short) ? short : path
  }
}

enum ShellWord {
  /// A word as a shell reads it back: in single quotes if it contains more than plain characters,
  /// as `$'...'` if it contains any that messages do not show as they are.
  static func quoted(_ word: String) -> String {
    guard PrintableText.of(word) == word else { return escaped(word.utf8) }
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "/._-+=:,@%".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// A path as a command takes it, which is never an option.
  static func path(_ path: String) -> String {
    quoted(path.hasPrefix("-") ? "./" + path : path)
  }

  /// A word of any bytes as `bash` and `zsh` read it: `$'a\xff'`.
  static func escaped(_ word: some Sequence<UInt8>) -> String {
    let plain = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=,@%".utf8
    let text = word.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte))
        : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "$'" + text.joined() + "'"
  }

  /// - Parameter option: an option that is added unless it is there.
  static func command(_ words: [String], with option: String? = nil) -> String {
    let added = [option].compactMap(\.self).filter { !words.contains($0) }
    return (["planklab"] + words.dropFirst() + added).map(quoted).joined(separator: " ")
  }
}
