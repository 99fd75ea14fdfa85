import PoseModel

/// Checks datasets: every file, not just up to the first error.
package enum DatasetLint {
  /// Everything that is or looks wrong in a dataset, in the order of the manifest.
  ///
  /// - Parameter path: the dataset's folder or its manifest.
  /// - Throws: only a `DatasetError` with `isMissingInput`: there is no manifest to check.
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

  /// Everything that is or looks wrong in a recording, and in its labels if given.
  ///
  /// - Throws: only a `DatasetError` with `isMissingInput`.
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

/// What is or looks wrong in one sequence of a dataset.
struct SequenceLint {
  let dataset: DatasetReader
  let entry: SequenceEntry

  /// All findings about the sequence's own files.
  ///
  /// - Parameter duplicates: receives the recording's poses, if the recording can be read.
  func findings(addingTo duplicates: inout DuplicatePoses) -> [LintFinding] {
    let path = dataset.path(of: entry.posesPath)
    var findings = otherPeople.map { [$0] } ?? []
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

  /// A warning where an import found other people in the way.
  private var otherPeople: LintFinding? {
    guard let tag = entry.tags[OtherPeople.tag], let others = OtherPeople(rawValue: tag) else {
      return nil
    }
    let problem: String
    switch others {
    case .none, .apart: return nil
    case .overlapping: problem = "somebody else overlaps this person, and joints may be theirs"
    case .crowd: problem = "the images show a crowd, in which poses are inaccurate"
    }
    return warning(
      .otherPeople, "`\(entry.name)`: \(problem)",
      remedy: "record one person alone, or crop the images before detection")
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
      let findings =
        recording.map { LabelsLint(path: path, file: file, recording: $0).findings }
        ?? file.notes.map { $0.finding(file: path) }
      return findings + onsetFindings(file.track)
    } catch {
      return [.error(error)]
    }
  }

  private func onsetFindings(_ labels: LabelTrack) -> [LintFinding] {
    guard let onsetsPath = dataset.onsetsPath(of: entry) else { return [] }
    do {
      _ = try OnsetsReader.read(path: dataset.path(of: onsetsPath), of: labels)
      return []
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
