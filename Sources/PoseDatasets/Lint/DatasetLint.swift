import PoseModel

/// Checks datasets: every file, not just up to the first fault.
package enum DatasetLint {
  /// Everything that is wrong or looks wrong with a dataset, in the order of the manifest.
  ///
  /// - Parameter path: the dataset's folder or its manifest.
  /// - Throws: only a `DatasetError` that is `isMissingInput`: there is no manifest to check.
  /// - Complexity: one recording is in memory at a time, and about 100 bytes for each pose.
  package static func findings(datasetAt path: String) throws(DatasetError) -> [LintFinding] {
    let dataset: DatasetReader
    do {
      dataset = try DatasetReader(path: path)
    } catch {
      if error.isMissingInput { throw error }
      return [.error(error)]
    }
    var findings = dataset.manifest.unknownKeys.map { finding($0, in: dataset) }
    var duplicates = DuplicatePoses()
    for entry in dataset.manifest.sequences {
      let sequence = SequenceLint(dataset: dataset, entry: entry)
      findings += sequence.findings(addingTo: &duplicates)
    }
    return findings + duplicates.findings
  }

  /// Everything that is wrong or looks wrong with a recording, and with its labels if given.
  ///
  /// - Throws: only a `DatasetError` that is `isMissingInput`.
  package static func findings(
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

  private static func finding(
    _ key: DatasetManifest.UnknownKey, in dataset: DatasetReader
  ) -> LintFinding {
    .warning(
      .unknownKey, file: dataset.manifestPath, line: key.line,
      message: "found the key `\(key.field)`; known keys: \(key.known.joined(separator: ", "))",
      remedy: "correct the key, or put it into `tags`")
  }
}
