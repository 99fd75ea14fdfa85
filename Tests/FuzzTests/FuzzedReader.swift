import ArgumentParser
import Foundation
import PlankDetection
import PoseModel
import PoseRecording

@testable import Evaluation
@testable import PlankBench
@testable import PoseDatasets
@testable import PoseSynthesis
@testable import Reports
@testable import Tuning

/// A reader of files or options, with what must hold of it whatever bytes it is given.
///
/// Traps, hangs and broken memory are found by whoever calls it; what a reader lets through is checked
/// here: it reads back as it was, or it runs. The replay of the corpora and the fuzzer use it alike.
enum FuzzedReader: String, CaseIterable, Sendable {
  case recording, packed, labels, manifest, yaml, detector, thresholds, baseline, gate, experiment
  case script, expression, strategy, options, predictions, vision, vision2d, landmarks, motion
  case cells, arrays, tensors, bodies, table, map, activities, onsets, defaults, results
  case errors
  case labelText = "label-text"
  case appValues = "app-values"

  /// A fault that a reader should not have accepted.
  struct Finding: Error, CustomStringConvertible {
    let description: String
  }

  static let name = "input"

  /// Reads an input and checks the result.
  ///
  /// - Throws: `Finding`.
  func read(_ bytes: [UInt8]) throws(Finding) {
    switch self {
    case .recording: try Self.recording(bytes)
    case .packed: Self.packed(bytes)
    case .labels: try Self.labels(bytes)
    case .manifest: try Self.manifest(bytes)
    case .yaml: _ = try? YAMLDocument(bytes: bytes, file: Self.name)
    case .predictions: Self.predictions(bytes)
    case .vision: try Self.imported(try? VisionSource().sequences(from: [Self.named(bytes)]))
    case .vision2d: try Self.images(bytes)
    case .landmarks: try Self.landmarks(bytes)
    case .motion: try Self.motion(bytes)
    case .cells: try Self.cells(bytes)
    case .labelText: try Self.labelText(bytes)
    case .arrays: try Self.arrays(bytes)
    case .tensors: try Self.tensors(bytes)
    case .bodies: try Self.bodies(bytes)
    case .table: try Self.table(bytes)
    case .appValues: try Self.appValues(bytes)
    default:
      guard let text = String(validating: bytes, as: UTF8.self) else { return }
      try setting(text)
    }
  }

  private func setting(_ text: String) throws(Finding) {
    switch self {
    case .detector: try Self.detector(text)
    case .thresholds: try Self.thresholds(text)
    case .baseline: try Self.baseline(text)
    case .gate: _ = try? GateSpecification.parse(text, file: Self.name)
    case .experiment: Self.experiment(text)
    case .script: _ = try? SynthesisSpecification.parse(text, file: Self.name)
    case .activities: try Self.activities(text)
    case .onsets: try Self.onsets(text)
    case .defaults: Self.defaults(text)
    case .results: Self.results(text)
    case .errors: try Self.errors(text)
    case .expression: Self.expression(text)
    case .map: try Self.map(text)
    case .strategy: try Self.strategy(text)
    default: Self.options(text)
    }
  }

  static func check(_ isTrue: Bool, _ what: @autoclosure () -> String) throws(Finding) {
    guard isTrue else { throw Finding(description: what()) }
  }

  private static func named(_ bytes: [UInt8]) -> NamedText {
    NamedText(name: name + ".jsonl", text: String(decoding: bytes, as: UTF8.self))
  }
}

// Settings.
extension FuzzedReader {
  private static func detector(_ text: String) throws(Finding) {
    guard let definition = try? DetectorSpecification.parse(text, file: name) else { return }
    run(definition, on: body)
    try export(
      Thresholds(
        definition: definition, parameters: definition.defaults, smoothing: .none,
        debounce: .parameters))
  }

  private static func thresholds(_ text: String) throws(Finding) {
    guard let thresholds = try? ThresholdsFile.parse(text, file: name) else { return }
    run(thresholds.definition, on: body)
    try export(thresholds)
  }

  /// Thresholds read back as they were, and every form of them can be written.
  private static func export(_ thresholds: Thresholds) throws(Finding) {
    _ = SwiftExport(thresholds, typeName: "T").text
    _ = PropertyListExport(thresholds: thresholds).text
    let text = JSONText.of(thresholds)
    do {
      let again = try ThresholdsFile.parse(text, file: name)
      try check(again == thresholds, "thresholds read back otherwise: \(text)")
    } catch let error as FieldError {
      throw Finding(description: "thresholds cannot be read back: \(error): \(text)")
    } catch { throw Finding(description: "\(error)") }
  }

  private static func baseline(_ text: String) throws(Finding) {
    guard let baseline = try? Baseline.parse(text, file: name) else { return }
    let again = try? Baseline.parse(baseline.text, file: name)
    try check(again == baseline, "a baseline reads back otherwise: \(baseline.text)")
    for sequence in baseline.sequences {
      for frames in [0, 1, body.frameCount] {
        _ = sequence.plank.outcome(.plank, frames: frames)
        _ = sequence.form.outcome(.form, frames: frames)
      }
    }
  }

  /// An experiment whose flags change nothing; detector files that it names do not exist.
  private static func experiment(_ text: String) {
    guard let flags = try? ExperimentOptions.parse([name]) else { return }
    _ = try? Experiment(text, file: name, flags, axes: [])
  }

  private static func expression(_ text: String) {
    guard let measurement = try? Measurement("tried", text) else { return }
    _ = MeasurementColumns(body, [measurement], reading: .gravity)
  }

  private static func strategy(_ text: String) throws(Finding) {
    if let choice = try? SmoothingChoice(text: text) {
      try check((try? SmoothingChoice(text: choice.text)) == choice, "a smoothing reads otherwise")
      if let detector = try? BatchDetector(.gravity) { _ = choice.measure(body, detector) }
    }
    if let debounce = try? DebounceStrategy(text: text) {
      let text = debounce.text(parameters: ParameterCatalogue.definitions)
      try check((try? DebounceStrategy(text: text)) == debounce, "a debounce reads otherwise")
      run(.gravity, on: body, debounce: debounce)
    }
  }

  /// The defaults of a repository; files that they name are other readers' business.
  private static func defaults(_ text: String) {
    guard let defaults = try? DefaultsFile.parse(text, file: name) else { return }
    var answers = defaults.answers
    answers.detector = answers.detector.flatMap { BenchDetector.isFile($0) ? nil : $0 }
    answers.parameters = nil
    _ = try? BenchDetector(answers, source: .file(defaults.places))
  }

  /// A result that is read has a page, whatever somebody changed in it.
  private static func results(_ text: String) {
    guard let saved = try? SavedResult(text, path: name + ".json") else { return }
    _ = try? ReportPage.html([saved, saved])
  }

  private static func options(_ text: String) {
    let definitions = ParameterCatalogue.definitions
    if let axis = try? AxisText(assignment: text),
      let definition = definitions.first(where: { $0.key.rawValue == axis.key })
    {
      _ = try? axis.axis(definition)
    }
    var values = DetectorDefinition.gravity.defaults
    try? values.set(text)
    _ = try? LabelMap([text])
    _ = try? CalibrationChoice(text).hold(of: .coach)
    _ = try? AxisRotation(text)
    _ = try? MetricKey(text)
    _ = AnswerRuns(text: text).outcome(.plank, frames: 24)
    _ = PrintableText.line(text)
  }
}

// What importers and the store read.
extension FuzzedReader {
  private static func landmarks(_ bytes: [UInt8]) throws(Finding) {
    guard let labels = try? LabelMap(["*=high"]) else { return }
    var clips = TableMap.worldLandmarkTable
    clips.time = TableMap.Time(field: nil, rate: 30)
    clips.labels = TableMap.Labels(field: FieldPath([.key("label")]), classes: [:])
    clips.depth = .anatomical
    clips.cut = TableMap.Cut(step: 0.02)
    var stills = clips
    (stills.cut, stills.isStills) = (nil, true)
    let file = NamedBytes(name: name + ".csv", bytes: bytes)
    for map in [clips, stills] {
      let source = TableSource(options: TableOptions(map: map, labels: labels))
      try imported(try? source.sequences(from: [file]))
    }
  }

  /// The most prominent person of 2D observations, and everyone.
  private static func images(_ bytes: [UInt8]) throws(Finding) {
    for isEveryone in [false, true] {
      let options = Vision2DOptions(isEveryone: isEveryone)
      try imported(try? Vision2DSource(options: options).sequences(from: [named(bytes)]))
    }
  }

  private static func motion(_ bytes: [UInt8]) throws(Finding) {
    let parts = bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
    let files = parts.prefix(3).map { named(Array($0)) }
    try imported(try? DeepMimicSource().sequences(from: files))
  }

  private static func arrays(_ bytes: [UInt8]) throws(Finding) {
    guard let archive = try? NumpyArchive(NamedBytes(name: name, bytes: bytes)) else { return }
    for name in archive.names {
      guard let array = try? archive.array(name) else { continue }
      try check(array.values(0..<array.count).count == array.count, "an array lacks numbers")
    }
  }

  private static func tensors(_ bytes: [UInt8]) throws(Finding) {
    var single = PoseNetMap()
    single.decoding.isSingle = true
    for poseNet in [single, PoseNetMap(), PoseNetMap(.sample)] {
      var map = TableMap()
      map.poseNet = poseNet
      let source = TableSource(options: TableOptions(map: map, isEveryone: true))
      let file = NamedBytes(name: name + ".npz", bytes: bytes)
      try imported(try? source.sequences(from: [file]))
    }
  }

  /// A motion, and the same bytes posed on a body at rest.
  private static func bodies(_ bytes: [UInt8]) throws(Finding) {
    let motion = NamedBytes(name: name + ".npz", bytes: bytes)
    try imported(try? BodyModelSource(options: BodyModelOptions()).sequences(from: [motion]))
    guard let archive = try? NumpyArchive(motion), let rest = try? archive.array("rest") else {
      return
    }
    let joints = rest.values(0..<rest.count).prefix(66)
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (22, 3), }"
    let file =
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
      + joints.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    try imported(
      try? BodyModelSource(options: BodyModelOptions(up: .y))
        .sequences(from: [NamedBytes(name: "rest.npy", bytes: file), motion]))
  }

  /// A file of any shape: what doctor can import, the import reads, by the map as text.
  private static func table(_ bytes: [UInt8]) throws(Finding) {
    let file = NamedBytes(name: name, bytes: bytes)
    let diagnosis = PoseDoctor.diagnose(file, imageSize: ImageSize(width: 1080, height: 1920))
    let recording = ExaminedRecording(diagnosis: diagnosis, paths: [name], folder: nil)
    _ = DoctorReport([recording, recording], mapPath: nil, imageSize: nil).document
    for (_, ready) in TableMap.ready {
      try imported(try? TableSource(options: TableOptions(map: ready)).sequences(from: [file]))
    }
    guard let map = diagnosis.map else { return }
    try self.map(map.yaml, mustRead: true)
    let sequences = try? TableSource(options: TableOptions(map: map)).sequences(from: [file])
    try check(sequences != nil || !diagnosis.isImportable, "doctor promises what import refuses")
    try imported(sequences)
  }

  private static func map(_ text: String, mustRead: Bool = false) throws(Finding) {
    guard let map = try? TableMap(yaml: text, file: name) else {
      return try check(!mustRead, "doctor wrote a map that is refused: \(text)")
    }
    try check((try? TableMap(yaml: map.yaml, file: name)) == map, "a map reads back otherwise")
  }

  private static func imported(_ sequences: [ImportedSequence]?) throws(Finding) {
    for sequence in sequences ?? [] { try writesBack(sequence.recording) }
  }

  private static func labelText(_ bytes: [UInt8]) throws(Finding) {
    for format in LabelTextFormat.allCases {
      guard let options = try? LabelTextOptions(format: format, offset: Seconds(0.5)),
        let track = try? LabelTextReader(options: options).track(from: named(bytes))
      else { continue }
      let again = try? LabelsReader.read(text: LabelsWriter.text(of: track), name: name).track
      try check(again == track, "imported labels read back otherwise")
    }
  }

  /// The numbers of a cell, if bytes have any, are encoded to bytes of the same numbers.
  private static func cells(_ bytes: [UInt8]) throws(Finding) {
    _ = TimeBlob.times(Data(bytes))
    let codec = CellCodec(StatisticsLayout(facts))
    guard let numbers = codec.decode(bytes) else { return }
    _ = codec.summary(numbers[...])
    try check(codec.decode(codec.encode(numbers[...])) == numbers, "numbers read otherwise")
  }

  private static let facts = StreamFacts(
    .plank,
    facts: (0..<2).map { number in
      StreamFacts.SequenceFacts(
        name: "s\(number)", subject: nil, frameWeight: Seconds(0.1), evaluatedSeconds: Seconds(2),
        trueTransitions: 1, rows: [.init(truth: 0, frames: 8), .init(truth: 2, frames: 12)],
        onsets: [.init(label: 2, frames: 8..<20, isObserved: true, duration: Seconds(1.2))],
        times: (0..<20).map { Double($0) / 10 })
    })
}

extension FuzzedReader {
  /// The bench's reader and the apps' one agree, and what was read can be written and read again.
  static func recording(_ bytes: [UInt8]) throws(Finding) {
    let bench = try? RecordingReader.read(bytes: bytes, name: name).recording
    let app = try? PoseRecordingReader.recording(from: bytes, name: name)
    try check((bench == nil) == (app == nil), "one reader takes what the other refuses")
    guard let bench, let app else { return }
    try check(isSame(bench, app), "two readers read different recordings")
    run(DetectorDefinition.gravity, on: bench)
    try writesBack(bench)
  }

  /// Through a file, because only files are unpacked.
  static func packed(_ bytes: [UInt8]) {
    withFile("input.poses.jsonl.gz", bytes) { path in _ = try? RecordingReader.read(path: path) }
  }

  /// A bank that is let through can be replayed, in a posture that it knows and in others.
  static func errors(_ text: String) throws(Finding) {
    guard let bank = try? ErrorBankFile.bank(of: text, file: name) else { return }
    _ = bank.summary
    var script = SessionScript(
      holds: [.forearm, .sideLeftHand, .sphinx].map { Hold($0, for: Seconds(1)) })
    script.errors = bank
    guard let made = try? SessionSynthesizer(script).synthesized() else {
      throw Finding(description: "a valid bank is not replayed")
    }
    let isWhole = made.recording.positions.allSatisfy { $0.isFinite || $0.isNaN }
    try check(isWhole && made.recording.frameCount > 0, "a replay has infinite positions")
  }

  static func labels(_ bytes: [UInt8]) throws(Finding) {
    guard let track = try? LabelsReader.read(bytes: bytes, name: name).track else { return }
    let again = try? LabelsReader.read(text: LabelsWriter.text(of: track), name: name).track
    try check(again == track, "labels read back otherwise")
  }

  static func manifest(_ bytes: [UInt8]) throws(Finding) {
    guard let manifest = try? DatasetManifest(bytes: bytes, file: name) else { return }
    let text = DatasetManifestWriter.text(of: manifest)
    let again = try? DatasetManifest(bytes: Array(text.utf8), file: name)
    try check(again.map(withoutLines) == withoutLines(manifest), "a manifest reads back otherwise")
    guard var edit = try? ManifestEdit(text: String(decoding: bytes, as: UTF8.self), file: name)
    else { return }
    _ = try? edit.append([SequenceEntry(posesPath: "added.poses.jsonl")])
    _ = try? edit.setMissing(.subject, [manifest.sequences[0].name: "anna: \"#"])
  }

  static func activities(_ text: String) throws(Finding) {
    let entries = ["a.poses.jsonl", "more/b.poses.jsonl"].map { SequenceEntry(posesPath: $0) }
    guard let file = try? ActivitiesReader.read(text: text, name: name, of: entries) else { return }
    var rows = [ActivitiesReader.header]
    for (sequence, track) in file.tracks {
      rows += track.segments.map { "\(sequence),\($0.start.value),\($0.end.value),\($0.name)" }
      try check(file.lines[sequence]?.count == track.segments.count, "a segment has no line")
      _ = track.names
    }
    let again = try? ActivitiesReader.read(
      text: rows.joined(separator: "\n"), name: name, of: entries)
    try check(again?.tracks == file.tracks, "activities read back otherwise")
  }

  /// Labels and their onsets, with a record separator between them.
  static func onsets(_ text: String) throws(Finding) {
    let parts = text.split(separator: "\u{1E}", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2,
      let labels = try? LabelsReader.read(text: String(parts[0]), name: name).track,
      let track = try? OnsetsReader.read(text: String(parts[1]), name: name, of: labels)
    else { return }
    let again = try? OnsetsReader.read(
      text: OnsetsWriter.text(of: track.onsets), name: name, of: labels)
    try check(again == track, "onsets read back otherwise")
    _ = track.truth(at: body.times)
  }

  private static func withoutLines(_ manifest: DatasetManifest) -> DatasetManifest {
    var manifest = manifest
    manifest.unknownKeys = []
    for index in manifest.sequences.indices { manifest.sequences[index].line = 0 }
    return manifest
  }

  static func predictions(_ bytes: [UInt8]) {
    withFile("input.csv", bytes) { path in
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      _ = try? PredictionsFolder(path: folder).answers("input", times: body.times)
    }
  }
}

extension FuzzedReader {
  static func appValues(_ bytes: [UInt8]) throws(Finding) {
    let data = Data(bytes)
    try stored(Calibration.self, data)
    try stored(SmoothingStrategy.self, data)
    try stored(DebounceStrategy.self, data)
    try stored(ParameterValues.self, data)
    try stored(ParameterDefinition.self, data)
    try stored(SessionParameters.self, data)
    try stored(SessionState.self, data)
    try stored(SessionSummary.self, data)
    try stored(DetectorAnswer.self, data)
    try stored(Pose.self, data)
    if let calibration = try? JSONDecoder().decode(Calibration.self, from: data) {
      _ = try? BatchDetector(.coach).calibrated(by: calibration)
    }
    if let debounce = try? JSONDecoder().decode(DebounceStrategy.self, from: data) {
      run(.gravity, on: body, debounce: debounce)
    }
    if let smoothing = try? JSONDecoder().decode(SmoothingStrategy.self, from: data) {
      _ = try? BatchDetector(.gravity, smoothing: smoothing).measure(body)
    }
  }

  /// What is decoded is encoded to the same value.
  private static func stored<Value: Codable & Equatable>(
    _ type: Value.Type, _ data: Data
  ) throws(Finding) {
    guard let value = try? JSONDecoder().decode(type, from: data) else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try? encoder.encode(value)
    let again = text.flatMap { try? JSONDecoder().decode(type, from: $0) }
    // A pose that lacks joints equals no other; its text does.
    let isSame =
      again == value || (text != nil && again.flatMap { try? encoder.encode($0) } == text)
    try check(isSame, "\(type) reads back otherwise")
  }
}

// What was read is put to use.
extension FuzzedReader {
  /// A body of 17 joints that moves a little, for detectors and filters.
  static let body: Recording = {
    let skeleton = Skeleton.vision3d
    var recording = Recording(
      header: RecordingHeader(skeleton: skeleton, joints: skeleton.joints, frame: .camera))
    for frame in 0..<24 {
      let pose = (0..<51).map { Float(($0 * 37 + frame) % 100) / 50 - 1 }
      pose.withUnsafeBufferPointer { recording.append(time: Double(frame) / 30, pose: $0) }
    }
    return recording
  }()

  /// A streaming detector takes every frame.
  static func run(
    _ definition: DetectorDefinition, on recording: Recording,
    debounce: DebounceStrategy = .parameters
  ) {
    guard var detector = try? PlankDetector(definition, debounce: debounce) else { return }
    for frame in recording.poseFrames where (try? detector.update(frame)) == nil {
      preconditionFailure("the times of a recording increase")
    }
  }

  /// A recording that can be written reads back, and is then written as before; only the first
  /// writing rounds.
  static func writesBack(_ recording: Recording) throws(Finding) {
    guard let bytes = try? PoseRecordingText.bytes(of: recording) else { return }
    guard let again = try? RecordingReader.read(bytes: bytes, name: name).recording else {
      throw Finding(description: "a recording that was written cannot be read")
    }
    try check(again.positions.count == recording.positions.count, "a recording is lost in writing")
    let twice = try? PoseRecordingText.bytes(of: again)
    try check(twice == bytes, "a recording that was read is written otherwise")
  }

  static func isSame(_ one: Recording, _ other: Recording) -> Bool {
    one.header == other.header && one.times == other.times
      && one.positions.map(\.bitPattern) == other.positions.map(\.bitPattern)
      && one.confidences.map(\.bitPattern) == other.confidences.map(\.bitPattern)
      && (0..<one.frameCount).allSatisfy { one.extras(at: $0) == other.extras(at: $0) }
  }

  /// Calls a body with the path of a file in a folder of its own.
  static func withFile(_ name: String, _ bytes: [UInt8], _ body: (String) -> Void) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: file)
    body(file.path)
  }
}
