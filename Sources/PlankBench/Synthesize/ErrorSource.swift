internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseSynthesis
internal import Reports

enum ErrorSource {
  struct Found {
    let bank: ErrorBank
    let remarks: [String]
  }

  static func found(_ path: String) async throws -> Found {
    guard path.hasSuffix(".json") || path.hasSuffix(".json.gz") else {
      return try await learned(path)
    }
    return Found(bank: try ErrorBankFile.read(path), remarks: [])
  }

  private static func learned(_ path: String) async throws -> Found {
    let progress = LongWork(["files", "sequences"]).report
    let datasets = try DatasetCollection(opening: [path])
    let hashes = try datasets.parts.map { try $0.identity(progress: progress).hash }
    let results = try await ConcurrentMap.run(datasets.entries, progress: progress) {
      (entry) throws -> Lesson in
      let sequence = try datasets.load(entry)
      do {
        let learner = try ErrorLearner(sequence.recording, labels: sequence.labels)
        return Lesson(subject: sequence.subject, result: .success(try learner.learned(person: 0)))
      } catch let refusal as ErrorLearner.Refusal {
        return Lesson(subject: nil, result: .failure(refusal))
      }
    }
    return try found(results, datasets, hashes, path)
  }

  private struct Lesson: Sendable {
    let subject: String?
    let result: Result<RecordedErrors, ErrorLearner.Refusal>
  }

  private static func found(
    _ lessons: [Lesson], _ datasets: DatasetCollection, _ hashes: [String], _ path: String
  ) throws -> Found {
    var people: [String: Int] = [:]
    var nextPerson = 0
    var recordings: [RecordedErrors] = []
    var refusals: [ErrorLearner.Refusal: Int] = [:]
    for lesson in lessons {
      switch lesson.result {
      case .failure(let refusal): refusals[refusal, default: 0] += 1
      case .success(var recording):
        let known = lesson.subject.flatMap { people[$0] }
        recording.person = known ?? nextPerson
        if known == nil { nextPerson += 1 }
        if let subject = lesson.subject { people[subject] = recording.person }
        recordings.append(recording)
      }
    }
    var remarks = ErrorLearner.Refusal.allCases.compactMap { refusal in
      refusals[refusal].map { "left out: \(NumberText.count($0, "recording")) \(refusal.reason)" }
    }
    try require(
      !recordings.isEmpty, .badData,
      "\(path): there is nothing to learn from: " + remarks.joined(separator: "; ")
        + "; give 3D recordings in which people hold a posture for 1 s or more")
    let used = recordings.count
    let frames = recordings.reduce(0) { $0 + $1.frames }
    recordings = ErrorBank.thinned(recordings)
    if recordings.reduce(0, { $0 + $1.frames }) < frames {
      remarks.append(
        "kept at most \(NumberText.count(ErrorBank.mostFrames, "frame")) of "
          + "\(NumberText.count(frames, "frame")), the same share of every recording")
    }
    let origins = zip(datasets.parts, hashes).map { part, hash in
      ErrorBank.Origin(
        dataset: part.name, hash: hash, license: part.reader.manifest.license,
        recordings: lessons.count, used: used)
    }
    return Found(bank: ErrorBank(madeFrom: origins, recordings: recordings), remarks: remarks)
  }
}

/// A bank of errors as its file stores it.
///
/// ```json
/// {"format": "planklab-errors", "schema_version": 1, "made_from": [...], "recordings": [...]}
/// ```
struct ErrorBankFile: Codable {
  private let bank: ErrorBank

  static let format = "planklab-errors"
  static let schemaVersion = 1

  private enum CodingKeys: String, SnakeCaseKey { case format, schemaVersion }

  init(_ bank: ErrorBank) { self.bank = bank }

  init(from decoder: any Decoder) throws {
    try decoder.container(keyedBy: CodingKeys.self).checkFormat(
      (.format, Self.format), (.schemaVersion, Self.schemaVersion),
      remedy: "use the planklab that wrote the file, or a newer one")
    bank = try ErrorBank(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try bank.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.schemaVersion, forKey: .schemaVersion)
  }

  static func read(_ path: String) throws -> ErrorBank {
    try bank(of: try InputText.read(path), file: path)
  }

  static func bank(of text: String, file path: String) throws -> ErrorBank {
    let bank: ErrorBank
    do {
      bank = try JSONDecoder().decode(Self.self, from: Data(text.utf8)).bank
    } catch let error as FieldError {
      throw WorkflowFailure(.badData, "\(path): \(error)")
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw WorkflowFailure(
        .badData, "\(path): is not JSON, was cut off, or has a number out of range; " + Self.remedy)
    } catch let error as DecodingError {
      throw WorkflowFailure(.badData, "\(path): \(FieldError(error)); " + Self.remedy)
    }
    do {
      try bank.validate()
    } catch {
      throw WorkflowFailure(.badData, "\(path): \(error); \(Self.remedy)")
    }
    return bank
  }

  private static let remedy =
    "a bank is written by `planklab synthesize --errors-from DATASET --write-bank FILE`"

  static func write(_ bank: ErrorBank, to path: String) throws {
    try OutputFile.writeReport(JSONText.of(ErrorBankFile(bank), .rows), to: path)
  }
}

extension ErrorBank {
  var title: String { "errors of " + madeFrom.map(\.dataset).joined(separator: ", ") }

  fileprivate static func thinned(_ recordings: [RecordedErrors]) -> [RecordedErrors] {
    guard recordings.reduce(0, { $0 + $1.frames }) > mostFrames else { return recordings }
    var share = mostFrames / recordings.count
    while true {
      let thinned = recordings.map { $0.cut(to: share) }
      if thinned.reduce(0, { $0 + $1.frames }) <= mostFrames || share < 2 { return thinned }
      share = share * 3 / 4
    }
  }
}

extension RecordedErrors {
  fileprivate func cut(to frames: Int) -> RecordedErrors {
    var kept: [HeldStretch] = []
    var count = 0
    for stretch in stretches {
      count += stretch.frames
      guard kept.isEmpty || count <= frames else { break }
      kept.append(stretch)
    }
    return RecordedErrors(person: person, lengths: lengths, stretches: kept)
  }
}
