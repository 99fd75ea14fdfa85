import PoseModel

@testable import PoseDatasets

/// Checks datasets: every file, not just up to the first error.
enum DatasetLint {
  /// Everything that is or looks wrong in a dataset, in the order of the manifest.
  ///
  /// - Parameter path: the dataset's folder or its manifest.
  /// - Throws: only a `DatasetError` with `isMissingInput`: there is no manifest to check.
  /// - Complexity: about 100 bytes for each pose; see `DatasetChecks` for all cores.
  static func findings(datasetAt path: String) throws(DatasetError) -> [LintFinding] {
    let checks = try DatasetChecks(datasetAt: path)
    return checks.findings(checks.sequences.map(checks.check))
  }

  /// Everything that is or looks wrong in a recording, and in its labels if given.
  ///
  /// - Throws: only a `DatasetError` with `isMissingInput`.
  static func findings(
    recordingAt path: String, labelsAt labelsPath: String? = nil
  ) throws(DatasetError) -> [LintFinding] {
    var findings: [LintFinding] = []
    var recording: Recording?
    do {
      let file = try RecordingReader.read(path: path)
      recording = file.recording
      findings += RecordingLint(path: path, file: file).findings
    } catch {
      if error.isMissingInput { throw error }
      findings.append(.error(error))
    }
    guard let labelsPath else { return findings }
    do {
      let file = try LabelsReader.read(path: labelsPath)
      if let recording {
        findings += LabelsLint(path: labelsPath, file: file, recording: recording).findings
      }
    } catch {
      if error.isMissingInput { throw error }
      findings.append(.error(error))
    }
    return findings
  }
}
