import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import PoseSynthesis
import Testing
import Tuning

@testable import PlankBench

@Suite("Exit codes of errors")
struct ExitStatusTests {
  private static let field = FieldError(file: "a.yaml", line: 2, problem: "wrong")

  @Test(
    "Every error that reaches the terminal has an exit code and keeps its message",
    arguments: [
      (DatasetError.invalidManifest(field), .badData),
      (DatasetError.unknownSplit(file: "dataset.yaml", found: "x", known: ["y"]), .usage),
      (RunStoreError.noStore(path: "runs.sqlite"), .noInput),
      (RunStoreError.outdated(run: "r", []), .notComparable),
      (RunStoreError.busy(path: "runs.sqlite"), .cannotCreate),
      (PoseSourceError.invalidOption("--rate", found: "0", allowed: "above 0"), .usage),
      (PoseSourceError.repeatedName("x"), .badData),
      (field, .badData),
      (WorkflowFailure(.gateFailed, "no"), .gateFailed),
      (CancellationError(), .unexpected),
    ] as [(any Error, PlankBench.ExitStatus)])
  func translated(error: any Error, status: PlankBench.ExitStatus) {
    let failure = WorkflowFailure(translating: error)
    #expect(failure.status == status)
    #expect(failure.message == "\(error)")
  }

  @Test("A missing file is no input, and its message names a file that is there")
  func missing() throws {
    let folder = ScriptedDatasetFiles.folder.path
    let failure = WorkflowFailure(
      translating: DatasetError.missingFile(path: folder + "/dataset.yml"))
    #expect(failure.status == .noInput)
    #expect(failure.message.contains("dataset.yaml"), "\(failure.message)")
  }
}
