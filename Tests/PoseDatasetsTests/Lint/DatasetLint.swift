import PoseModel

@testable import PoseDatasets

/// Checks datasets: every file, not just up to the first error.
enum DatasetLint {
  /// Everything that is or looks wrong in a dataset, in the order of the manifest.
  ///
  /// - Parameter path: the dataset's folder or its manifest.
  /// - Throws: only a `DatasetError` with `isMissingInput`: there is no manifest to check.
  /// - Complexity: about 100 bytes for each pose; see `DatasetChecks` for all cores.
  static func findings(datasetAt path: String) throws -> [LintFinding] {
    let checks = try DatasetChecks(datasetAt: path)
    return checks.findings(try checks.sequences.map(checks.check))
  }

  /// Everything that is or looks wrong in a recording, and in its labels if given.
  ///
  /// - Throws: only a `DatasetError` with `isMissingInput`.
  static func findings(
    recordingAt path: String, labelsAt labelsPath: String? = nil
  ) throws -> [LintFinding] {
    let file: RecordingFile
    do {
      file = try RecordingReader.read(path: path)
    } catch let error as DatasetError where !error.isMissingInput {
      return [.error(error)]
    }
    guard let labelsPath else {
      return RecordingLint(path: path, file: file, labels: nil).findings
    }
    do {
      let labels = try LabelsReader.read(path: labelsPath)
      let lint = RecordingLint(path: path, file: file, labels: labels.track)
      return lint.findings
        + LabelsLint(
          path: labelsPath, file: labels, recording: file.recording, clock: lint.survey.clock
        ).findings
    } catch let error as DatasetError where !error.isMissingInput {
      return RecordingLint(path: path, file: file, labels: nil).findings + [.error(error)]
    }
  }
}
