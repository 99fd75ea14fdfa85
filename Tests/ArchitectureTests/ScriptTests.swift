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

    init(_ pattern: String, _ example: String, _ instead: String) {
      (self.pattern, self.example, self.instead) = (pattern, example, instead)
    }

    func isIn(_ line: String) -> Bool {
      line.range(of: pattern, options: .regularExpression) != nil
    }
  }

  static let constructs = [
    Construct(#"\b(mapfile|readarray)\b"#, "mapfile -t x", "while read"),
    Construct(#"\b(declare|local|typeset) -[a-zA-Z]*[An]"#, "declare -A x", "plain variables"),
    Construct(#"\$\{[A-Za-z_0-9@*]+(,|\^)"#, "${x,,}", "tr"),
    Construct(#"\$\{[A-Za-z_0-9]+@[A-Z]\}"#, "${x@Q}", "printf %q"),
    Construct(#"\$\{[A-Za-z_0-9]+\[-"#, "${x[-1]}", "a variable"),
    Construct(#"&>>|\|&"#, "run &>> log", ">> log 2>&1"),
    Construct(#"\bcoproc\b|\bwait -n\b"#, "wait -n", "wait PID"),
    Construct(#"\[\[ -v "#, "[[ -v x ]]", "${x:-}"),
    Construct(#"\bEPOCH(SECONDS|REALTIME)\b"#, "$EPOCHSECONDS", "date +%s"),
    Construct(#"\bglobstar\b"#, "shopt -s globstar", "find"),
    Construct(#"\bsed (-[a-zA-Z]+ )*(-[a-zA-Z]*i\b|--)"#, "sed -i s/a/b/ file", "a new file"),
    Construct(#"\bsed .*[^\\]\\[tn]"#, #"sed 's/:/\t/'"#, "awk"),
    Construct(#"\bgrep (-[a-zA-Z]+ )*-[a-zA-Z]*P"#, "grep -oP x", "grep -E"),
    Construct(#"\bdate (-d|--|.*%N)"#, "date +%s%N", "$SECONDS"),
    Construct(#"\bstat (-c|--)"#, "stat -c %s file", "wc -c"),
    Construct(#"\b(sha|md)[0-9]+sum\b"#, "sha256sum file", "openssl dgst -sha256 -r"),
    Construct(#"\bcp -[a-zA-Z]*[at]|\bcp --"#, "cp -a a b", "cp -R"),
    Construct(#"\bxargs (-[a-zA-Z0-9]+ )*-[a-zA-Z]*[dr]\b"#, "xargs -d , run", "xargs -0"),
    Construct(#"\bfind .*-printf\b"#, "find . -printf %f", "-print"),
    Construct(#"\bsort (-[a-zA-Z]+ )*-[a-zA-Z]*V"#, "sort -V", "sort -t. -n"),
    Construct(#"\btar .*--(sort|transform|mtime|wildcards)"#, "tar --sort=name", "plain options"),
    Construct(#"\bmktemp (--|-[a-zA-Z]*p)"#, "mktemp --tmpdir", "mktemp -d"),
    Construct(
      #"(^ *|[;&|(] *)(timeout|nproc|tac|shuf|setsid) "#, "timeout 5 run", "a check of uname"),
    Construct(#"\b(head|tail) -n -|\bhead -c -"#, "head -n -1", "sed '$d'"),
    Construct(#"\bgensub\(|\bstrftime\(|\basort\("#, "awk '{ asort(x) }'", "sort"),
    Construct(#"\bln -[a-zA-Z]*r|\breadlink -[em]"#, "ln -sr a b", "ln -s"),
    Construct(#"\bbase64 -w|\bdu -b|\bod --"#, "base64 -w 0", "tr"),
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
