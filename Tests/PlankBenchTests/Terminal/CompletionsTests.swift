import Foundation
import PlankDetection
import Testing

@testable import PlankBench

@Suite("Completions")
struct CompletionsTests {
  @Test(
    "Parameters are those of the detector that the line names, else of all",
    arguments: [
      (
        ["planklab", "evaluate", "--detector", "gravity", "--set"], "side_rise",
        "side_rise_fraction"
      ),
      (["planklab", "evaluate", "--detector=scaled", "--set"], "side_rise_fraction", "side_rise"),
    ])
  func ownParameters(words: [String], offered: String, other: String) {
    let keys = Completions.parameters(of: words).map(\.key.rawValue)
    #expect(keys.contains(offered) && !keys.contains(other))
    for line in [["planklab", "evaluate", "--detector"], ["--detector", "mine.yaml"]] {
      #expect(Completions.parameters(of: line) == ParameterCatalogue.definitions)
    }
  }

  @Test("A path goes on to folders and to files of the kind, never to hidden ones")
  func paths() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appendingPathComponent("more")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    for name in ["mine.yaml", "mean.yml", "model.json", ".hidden.yaml"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    let root = folder.path + "/"
    let kinds = ["yaml", "yml"]
    #expect(
      Completions.paths(root, kinds) == ["mean.yml", "mine.yaml", "more/"].map { root + $0 })
    #expect(Completions.paths(root + "mi", kinds) == [root + "mine.yaml"])
    #expect(Completions.paths(root + "nothing/", kinds).isEmpty)
  }

  @Test(
    "A name that a shell would expand or divide is not offered",
    arguments: [
      "$(touch run).yaml", "`touch run`.yaml", "a b.yaml", "a;b.yaml", "'a.yaml", "a\nb.yaml",
    ])
  func hostilePaths(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(name + "-folder"), withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent(name))
    try Data().write(to: folder.appendingPathComponent("z.yaml"))
    let root = folder.path + "/"
    #expect(Completions.paths(root, ["yaml"]) == [root + "z.yaml"])
  }
}
