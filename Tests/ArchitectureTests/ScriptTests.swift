import Foundation
import Testing

/// The shell scripts and the Makefile, which also run with the Bash 3.2 and the BSD tools of a Mac.
///
/// It reads text: it refuses what is known not to work there, and shows nothing about what it does
/// not know.
@Suite("Shell scripts")
struct ScriptTests {
  struct Construct: CustomTestStringConvertible, Sendable {
    let pattern: String
    let example: String
    let instead: String

    var testDescription: String { example }

    func isIn(_ line: String) -> Bool {
      line.range(of: pattern, options: .regularExpression) != nil
    }
  }

  static let constructs = [
    Construct(pattern: #"\b(mapfile|readarray)\b"#, example: "mapfile -t x", instead: "while read"),
    Construct(
      pattern: #"\b(declare|local|typeset) -[a-zA-Z]*[An]"#, example: "declare -A x",
      instead: "plain variables"),
    Construct(pattern: #"\$\{[A-Za-z_0-9@*]+(,|\^)"#, example: "${x,,}", instead: "tr"),
    Construct(pattern: #"\$\{[A-Za-z_0-9]+@[A-Z]\}"#, example: "${x@Q}", instead: "printf %q"),
    Construct(pattern: #"\$\{[A-Za-z_0-9]+\[-"#, example: "${x[-1]}", instead: "a variable"),
    Construct(pattern: #"&>>|\|&"#, example: "run &>> log", instead: ">> log 2>&1"),
    Construct(pattern: #"\bcoproc\b|\bwait -n\b"#, example: "wait -n", instead: "wait PID"),
    Construct(pattern: #"\[\[ -v "#, example: "[[ -v x ]]", instead: "${x:-}"),
    Construct(
      pattern: #"\bEPOCH(SECONDS|REALTIME)\b"#, example: "$EPOCHSECONDS",
      instead: "date +%s"),
    Construct(pattern: #"\bglobstar\b"#, example: "shopt -s globstar", instead: "find"),
    Construct(
      pattern: #"\bsed (-[a-zA-Z]+ )*(-[a-zA-Z]*i\b|--)"#, example: "sed -i s/a/b/ file",
      instead: "a new file"),
    Construct(pattern: #"\bsed .*[^\\]\\[tn]"#, example: #"sed 's/:/\t/'"#, instead: "awk"),
    Construct(
      pattern: #"\bgrep (-[a-zA-Z]+ )*-[a-zA-Z]*P"#, example: "grep -oP x",
      instead: "grep -E"),
    Construct(pattern: #"\bdate (-d|--|.*%N)"#, example: "date +%s%N", instead: "$SECONDS"),
    Construct(pattern: #"\bstat (-c|--)"#, example: "stat -c %s file", instead: "wc -c"),
    Construct(
      pattern: #"\b(sha|md)[0-9]+sum\b"#, example: "sha256sum file",
      instead: "openssl dgst -sha256 -r"),
    Construct(pattern: #"\bcp -[a-zA-Z]*[at]|\bcp --"#, example: "cp -a a b", instead: "cp -R"),
    Construct(
      pattern: #"\bxargs (-[a-zA-Z0-9]+ )*-[a-zA-Z]*[dr]\b"#, example: "xargs -d , run",
      instead: "xargs -0"),
    Construct(pattern: #"\bfind .*-printf\b"#, example: "find . -printf %f", instead: "-print"),
    Construct(
      pattern: #"\bsort (-[a-zA-Z]+ )*-[a-zA-Z]*V"#, example: "sort -V",
      instead: "sort -t. -n"),
    Construct(
      pattern: #"\btar .*--(sort|transform|mtime|wildcards)"#, example: "tar --sort=name",
      instead: "plain options"),
    Construct(
      pattern: #"\bmktemp (--|-[a-zA-Z]*p)"#, example: "mktemp --tmpdir",
      instead: "mktemp -d"),
    Construct(
      pattern: #"(^ *|[;&|(] *)(timeout|nproc|tac|shuf|setsid) "#,
      example: "timeout 5 run", instead: "a check of uname"),
    Construct(
      pattern: #"\b(head|tail) -n -|\bhead -c -"#, example: "head -n -1", instead: "sed '$d'"),
    Construct(
      pattern: #"\bgensub\(|\bstrftime\(|\basort\("#, example: "awk '{ asort(x) }'",
      instead: "sort"),
    Construct(
      pattern: #"\bln -[a-zA-Z]*r|\breadlink -[em]"#, example: "ln -sr a b",
      instead: "ln -s"),
    Construct(pattern: #"\bbase64 -w|\bdu -b|\bod --"#, example: "base64 -w 0", instead: "tr"),
  ]

  static func refusesMacs(_ text: String) -> Bool {
    text.contains(#"[ "$(uname)" = Linux ] || {"#)
  }

  @Test("A construct that a Mac lacks is found in its example", arguments: constructs)
  func constructsAreFound(construct: Construct) {
    #expect(construct.isIn(construct.example))
    #expect(!construct.isIn("cp -R docs \"$stage\" | sort -u > log 2>&1 # plain"))
  }

  @Test("No line has a construct that a Mac lacks, unless the script refuses Macs")
  func linesArePortable() throws {
    let scripts = try Self.scripts()
    #expect(scripts.count > 15)
    for (path, text) in scripts where !Self.refusesMacs(text) {
      let lines = text.components(separatedBy: "\n")
      for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
        // A line that only Linux reaches says so.
        for construct in Self.constructs where construct.isIn(line) && !line.hasSuffix("# Linux") {
          Issue.record(
            "\(path):\(index + 1): \(line): like \(construct.example); use \(construct.instead)")
        }
      }
    }
  }

  @Test("An array that may be empty is expanded so that Bash 3.2 takes it under set -u")
  func emptyArraysAreGuarded() throws {
    var checked = 0
    for (path, text) in try Self.scripts() {
      for match in text.matches(of: /(?m)^ *(?:local )?(\w+)=\(\)/) {
        let name = match.1
        checked += 1
        let isFilled = text.contains("[ ${#\(name)[@]} -gt 0 ] ||")
        let bare = text.replacingOccurrences(
          of: "${\(name)[@]+\"${\(name)[@]}\"}", with: "")
        #expect(
          isFilled || !bare.contains("\"${\(name)[@]}\""),
          "\(path): write ${\(name)[@]+\"${\(name)[@]}\"}")
      }
    }
    #expect(checked > 0)
  }

  private static func scripts() throws -> [(path: String, text: String)] {
    let folder = Sources.root.appendingPathComponent("scripts").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).map { "scripts/\($0)" }
    return (names + ["Makefile", ".ci/run"]).sorted().compactMap { path in
      var isFolder: ObjCBool = false
      let file = Sources.root.appendingPathComponent(path).path
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
        !isFolder.boolValue, let text = try? Sources.text(path),
        path == "Makefile" || text.hasPrefix("#!/usr/bin/env bash")
      else { return nil }
      return (path, text)
    }
  }
}
