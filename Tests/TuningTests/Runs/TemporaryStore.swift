import Foundation
import Tuning

/// A place for a store that disappears with the test.
final class TemporaryStore {
  let folder: String
  var path: String { folder + "/runs.sqlite" }

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("run-store-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
