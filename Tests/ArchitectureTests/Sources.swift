import Foundation

/// The project's own files, as the walls' tests read them.
enum Sources {
  /// One `import` line.
  struct ImportLine {
    let file: String
    let number: Int
    let module: String
  }

  /// The project's root, three folders above this file.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folders under Sources that are not doors to C.
  static let swiftTargets: [String] = {
    let path = root.appendingPathComponent("Sources").path
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.filter { !ImportTable.doorsToC.contains($0) && !$0.hasPrefix(".") }.sorted()
  }()

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The Swift files of a target, as paths from the root.
  static func swiftFiles(of target: String) throws -> [String] {
    let folder = root.appendingPathComponent("Sources/\(target)").path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { "Sources/\(target)/\($0)" }
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

  private static func module(imported line: Substring) -> String? {
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
