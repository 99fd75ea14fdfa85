import PoseModel

/// What is wrong or looks wrong with one sequence of a dataset.
struct SequenceLint {
  let dataset: DatasetReader
  let entry: SequenceEntry

  /// All findings about the sequence's own files.
  ///
  /// - Parameter duplicates: gets the recording's poses, if the recording can be read.
  func findings(addingTo duplicates: inout DuplicatePoses) -> [LintFinding] {
    let path = dataset.path(of: entry.posesPath)
    var findings: [LintFinding] = []
    var recording: Recording?
    do {
      let file = try RecordingReader.read(path: path)
      findings += subjectFindings(header: file.recording.header)
      findings += RecordingLint(path: path, file: file).findings
      duplicates.add(PoseFingerprints(path: path, recording: file.recording))
      recording = file.recording
    } catch {
      findings.append(.error(error))
    }
    return findings + labelFindings(recording: recording)
  }

  private func labelFindings(recording: Recording?) -> [LintFinding] {
    guard let labelsPath = entry.labelsPath else {
      return [
        warning(
          .missingLabels, "the sequence `\(entry.name)` has no labels and cannot be scored",
          remedy: "add `labels`")
      ]
    }
    let path = dataset.path(of: labelsPath)
    do {
      let file = try LabelsReader.read(path: path)
      guard let recording else { return file.notes.map { $0.finding(file: path) } }
      return LabelsLint(path: path, file: file, recording: recording).findings
    } catch {
      return [.error(error)]
    }
  }

  private func subjectFindings(header: RecordingHeader) -> [LintFinding] {
    switch (entry.subject, header.subject) {
    case (nil, nil):
      [
        warning(
          .missingSubject, "no one says who was recorded in `\(entry.name)`",
          remedy: "add `subject`: intervals resample subjects")
      ]
    case (let inManifest?, let inHeader?) where inManifest != inHeader:
      [
        LintFinding(
          severity: .error, code: .subjectMismatch, file: dataset.manifestPath,
          line: entry.line,
          message: "the manifest says subject `\(inManifest)`, the header of "
            + "\(entry.posesPath) says `\(inHeader)`",
          remedy: "correct one of the two")
      ]
    default: []
    }
  }

  private func warning(_ code: LintCode, _ message: String, remedy: String) -> LintFinding {
    .warning(
      code, file: dataset.manifestPath, line: entry.line, message: message, remedy: remedy)
  }
}
