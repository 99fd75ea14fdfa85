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

  /// The folder of each target by its name: what apps link is in `Sources`, the rest in `Bench`.
  static let targets: [String: String] = {
    var folders: [String: String] = [:]
    for sources in ["Sources", "Bench/Sources"] {
      let path = root.appendingPathComponent(sources).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      for name in names where !name.hasPrefix(".") { folders[name] = "\(sources)/\(name)" }
    }
    return folders
  }()

  /// The targets that are not doors to C.
  static let swiftTargets = targets.keys.filter { !ImportTable.doorsToC.contains($0) }.sorted()

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try Repository.text(path)
  }

  /// The Swift files of a target, as paths from the root.
  static func swiftFiles(of target: String) throws -> [String] {
    let folder = targets[target] ?? target
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Every Swift file of the project, tests included, as paths from the root.
  static func allSwiftFiles() throws -> [String] {
    try ["Sources", "Bench/Sources", "Bench/Tests"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
        .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }
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
