import Foundation

/// A temporary folder that is removed with its owner.
final class Workspace: Sendable {
  /// The folder.
  let folder: URL

  /// Makes an empty folder.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  /// Writes a dataset of one recording and gives its folder.
  func dataset(poses: String, labels: String = "start,end,plank,form\n0,1,none,\n") throws -> String
  {
    try dataset(poses: Data(poses.utf8), labels: labels)
  }

  /// Writes a dataset of one recording and gives its folder.
  func dataset(poses: Data, labels: String = "start,end,plank,form\n0,1,none,\n") throws -> String {
    try write(poses, to: "data/a.poses.jsonl")
    try write(labels, to: "data/a.labels.csv")
    try write(
      "name: test\nsequences:\n  - poses: a.poses.jsonl\n    labels: a.labels.csv\n"
        + "    subject: one\n", to: "data/dataset.yaml")
    return path("data")
  }

  /// The parts of a page of a result, by id, without the scripts behind them.
  func partsOfPage(_ name: String) throws -> [String: String] {
    let html = try String(contentsOfFile: path(name), encoding: .utf8)
    let main = html.prefix(upTo: html.range(of: "</main>")?.lowerBound ?? html.endIndex)
    let parts = String(main).components(separatedBy: "<div class=\"part\" id=\"").dropFirst()
    return Dictionary(
      uniqueKeysWithValues: parts.map { part in
        (String(part.prefix { $0 != "\"" }), part)
      })
  }
}
