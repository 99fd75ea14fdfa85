import Foundation
import TestSupport

/// The project's own files, as the walls' tests read them.
enum Sources {
  /// One `import` line.
  struct ImportLine {
    let file: String
    let number: Int
    let module: String
  }

  /// The folder above all files.
  static let root = Repository.root

  /// The targets that are not doors to C.
  static let swiftTargets: [String] = {
    let path = root.appendingPathComponent("Sources").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { !$0.hasPrefix(".") && !ImportTable.doorsToC.contains($0) }.sorted()
  }()

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try Repository.text(path)
  }

  /// The Swift files of a target, as paths from the root.
  static func swiftFiles(of target: String) throws -> [String] {
    try swiftFiles(below: "Sources/\(target)")
  }

  /// Every Swift file of the project, tests included, as paths from the root.
  static func allSwiftFiles() throws -> [String] {
    try ["Sources", "Tests"].flatMap(swiftFiles(below:))
  }

  private static func swiftFiles(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Every import line of a target, whatever its access level or attribute.
  static func imports(of target: String) throws -> [ImportLine] {
    try swiftFiles(of: target).flatMap { file in
      try text(file).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .compactMap { index, line in
          module(imported: line).map { ImportLine(file: file, number: index + 1, module: $0) }
        }
    }
  }

  /// The module that a line imports, or nil for any other line.
  static func module(imported line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let position = words.firstIndex(of: "import"), position + 1 < words.count else {
      return nil
    }
    let before = words[..<position]
    let modifiers: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    guard before.allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }) else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
    let rest = words[(position + 1)...].drop { kinds.contains($0) }
    return rest.first?.split(separator: ".").first.map(String.init)
  }
}
