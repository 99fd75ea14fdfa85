import Foundation
import PoseDatasets
import Testing

@testable import PlankBench

@Suite("Access to datasets")
struct DatasetAccessTests {
  @Test(
    "Recordings of 500 MB or more are announced before they are read",
    arguments: [(499_999_999, nil), (1_234_000_000, "reading 2 sequences, 1.2 GB of recordings")])
  func work(bytes: Int, sentence: String?) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = """
      name: large
      sequences:
        - poses: a.poses.jsonl
        - poses: b.poses.jsonl

      """
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("dataset.yaml"))
    for (name, size) in [("a", bytes - 9), ("b", 9)] {
      let file = folder.appendingPathComponent(name + ".poses.jsonl")
      try Data().write(to: file)
      try #require(truncate(file.path, off_t(size)) == 0)
    }
    let reader = try DatasetReader(path: folder.path)
    #expect(try DatasetCollection.work([reader], split: nil) == sentence)
  }
}
