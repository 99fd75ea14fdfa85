internal import ArgumentParser
internal import FoundationEssentials
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab explain`.
struct Explain: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show why a detector answered as it did at one moment.",
    discussion: """
      Lists every rule in order with measurement, parameter and margin, and what debounce made of \
      the raw label. The dataset.yaml above the recording, if any, is used for labels and `starts`.

      Example:
        planklab explain datasets/scripted/s01-floor.poses.jsonl --at 12.5
      """)

  @Argument(help: "The recording: a .poses.jsonl or .poses.jsonl.gz file.", completion: .recording)
  var sequence: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The moment; the frame shown then is explained.", valueName: "SECONDS"))
  var at: Double

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws(WorkflowFailure) -> Outcome {
    let detector = try detector.found()
    let context = try RecordingContext(path: sequence)
    let recording = context.sequence.recording
    let frame = try frame(in: recording)
    let columns = detector.measure(recording, also: detector.definition.reportedMeasurements)
    let answers = detector.detect(
      columns, times: recording.times, startsMid: context.sequence.startsMid)
    let explanation = MomentExplanation(
      context: context, frame: frame, detector: detector, columns: columns, answers: answers)
    return try result.outcome(json: explanation.json, document: explanation.document)
  }

  /// The frame that is shown at the moment: the last one not after it, give or take half a
  /// microsecond.
  private func frame(in recording: Recording) throws(WorkflowFailure) -> Int {
    guard let first = recording.times.first, let last = recording.times.last else {
      throw WorkflowFailure(.badData, "\(sequence): has no frame; there is nothing to explain")
    }
    let end = last + recording.frameWeight.value
    guard at.isFinite, at >= first - 5e-7, at <= end else {
      throw WorkflowFailure(
        .usage, "--at \(at): the recording runs from \(first) to \(last) s; give a time in between")
    }
    return (recording.times.lastIndex { $0 <= at + 5e-7 }) ?? 0
  }
}

/// A recording named by its path, with what a dataset above it knows.
struct RecordingContext {
  /// The recording with its labels.
  let sequence: DatasetSequence
  /// The manifest that named it, where one does.
  let manifestPath: String?

  /// Loads a recording.
  ///
  /// The nearest `dataset.yaml` above it that names it gives labels, subject and `starts`; without
  /// one, the `.labels.csv` of the same name beside the recording gives the labels.
  init(path: String) throws(WorkflowFailure) {
    if let (reader, entry) = try Self.manifestEntry(of: path) {
      manifestPath = reader.manifestPath
      sequence = try DatasetAccess.load(entry, from: reader)
      return
    }
    manifestPath = nil
    let file = try DatasetAccess.failing { () throws(DatasetError) in
      try RecordingReader.read(path: path)
    }
    sequence = DatasetSequence(
      name: path, recording: file.recording, labels: try Self.labels(beside: path),
      subject: file.recording.header.subject, split: nil, startsMid: false, tags: [:],
      posesWithoutMatrix: file.posesWithoutMatrix)
  }

  private static func labels(beside path: String) throws(WorkflowFailure) -> LabelTrack? {
    for suffix in [".poses.jsonl.gz", ".poses.jsonl"] where path.hasSuffix(suffix) {
      let labels = path.dropLast(suffix.count) + ".labels.csv"
      guard FileManager.default.fileExists(atPath: String(labels)) else { continue }
      return try DatasetAccess.failing { () throws(DatasetError) in
        try LabelsReader.read(path: String(labels)).track
      }
    }
    return nil
  }

  private static func manifestEntry(
    of path: String
  ) throws(WorkflowFailure) -> (DatasetReader, SequenceEntry)? {
    let target = absolute(path)
    var folder = URL(filePath: target).deletingLastPathComponent()
    for _ in 0..<8 {
      let manifest = folder.appending(path: DatasetManifest.fileName).path
      if FileManager.default.fileExists(atPath: manifest) {
        let reader = try DatasetAccess.open(manifest)
        let entry = reader.manifest.sequences.first {
          absolute(reader.path(of: $0.posesPath)) == target
        }
        if let entry { return (reader, entry) }
      }
      guard folder.path != "/" else { return nil }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path
  }
}
