import Foundation
import Testing

/// The reading lists of the page on architecture lead from flags to output, and stay short.
@Suite("Reading lists")
struct ReadingListTests {
  /// A step: the file, and what to look for in it.
  struct Step: Sendable {
    let file: String
    let name: String
  }

  /// Commands with the most files that following them may take.
  static let bounds = [("evaluate", 25), ("tune", 40)]

  /// The steps under the heading of a command.
  private static func steps(_ command: String) throws -> [Step] {
    let page = try Sources.text("docs/architecture.md")
    let sections = page.components(separatedBy: "\n### ")
    let section = try #require(sections.first { $0.hasPrefix(command + "\n") })
    return section.matches(of: /\n\d+\. `((?:Bench\/)?Sources\/[^`]+)`: `(\w+)`/).map {
      Step(file: String($0.1), name: String($0.2))
    }
  }

  @Test("A list starts at the program's entry and takes few files, each once", arguments: bounds)
  func length(command: String, most: Int) throws {
    let files = try Self.steps(command).map(\.file)
    #expect(files.first == "Bench/Sources/planklab/Main.swift")
    #expect(files.count > 10 && files.count <= most, "\(files.count) files")
    #expect(Set(files).count == files.count)
  }

  @Test("What to look for is declared in its file and used by an earlier one", arguments: bounds)
  func order(command: String, most: Int) throws {
    var earlier = ""
    for step in try Self.steps(command) {
      let text = try Sources.text(step.file)
      let declaration = try Regex("\\b(struct|enum|class|protocol|func|var) \(step.name)\\b")
        .wordBoundaryKind(.simple)
      #expect(text.contains(declaration), "\(step.file) declares no \(step.name)")
      let use = try Regex("\\b\(step.name)\\b").wordBoundaryKind(.simple)
      #expect(
        earlier.isEmpty || earlier.contains(use),
        "\(step.name) of \(step.file) is used by no file before it")
      earlier += text
    }
  }

  @Test("The tables name every target of the import table", arguments: ImportTable.allowed.keys)
  func targets(target: String) throws {
    guard target != "planklab-benchmarks" else { return }
    #expect(try Sources.text("docs/architecture.md").contains(Regex("\n\\| .*`\(target)`")))
  }
}
