import Foundation
import PoseDatasets
import Synchronization
import Testing

@testable import PlankBench

@Suite("Examination of folders")
struct DoctorExaminationTests {
  /// A folder with two frames of a recording, and two files that are none.
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("doctor-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = [
      "0.json": #"{"version":1.3,"people":[]}"#, "1.json": #"{"version":1.3,"people":[]}"#,
      "notes.txt": "shoes off\n", "other.json": #"{"title":"a"}"#,
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    return folder
  }

  @Test("Every file is counted as it is read, then every recording that files may be")
  func progress() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let reports = Mutex<[String]>([])
    let examination = DoctorExamination(imageSize: nil) { done, total, what in
      reports.withLock { $0.append("\(done)/\(total) \(what)") }
    }
    _ = try await examination.recordings(of: [folder.path])
    #expect(
      reports.withLock { $0 } == (0...4).map { "\($0)/4 files" }
        + (0...2).map { "\($0)/2 recordings" })
  }

  @Test("Files and folders have their diagnoses in the order in which they were given")
  func order() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let examination = DoctorExamination(imageSize: nil) { _, _, _ in }
    let file = folder.path + "/notes.txt"
    let recordings = try await examination.recordings(of: [file, folder.path, file])
    #expect(
      recordings.map(\.diagnosis.file) == [file]
        + ["*.json", "notes.txt", "other.json"].map { folder.path + "/" + $0 } + [file])
  }
}
