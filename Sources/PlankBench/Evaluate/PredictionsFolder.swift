internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel

/// Answers of any other detector: a folder with one `NAME.csv` per sequence.
///
/// The header has at least `t`, `plank` and `form`; other columns are ignored. There is one row per
/// frame of the recording, in order, at the frame's time to the microsecond. An empty answer counts
/// as the stream's empty class and as undetermined. Blank lines are skipped.
struct PredictionsFolder: Sendable {
  let path: String

  /// - Throws: with file and line, also for rows that do not match the frames.
  func answers(
    _ sequence: String, times: [Double]
  ) throws -> PerStream<StreamOutcome> {
    let file = path + "/" + sequence + ".csv"
    var rows = Self.rows(of: try InputText.read(file))
    guard let header = rows.first else { throw failure(file, 1, "is empty; write t,plank,form") }
    let columns = try Columns(header.text, "\(file):\(header.line)")
    rows.removeFirst()
    guard rows.count == times.count else {
      throw failure(
        file, rows.last?.line ?? header.line,
        "has \(NumberText.count(rows.count, "row")) for the recording's "
          + "\(NumberText.count(times.count, "frame")); write one row per frame")
    }
    var plank = Stream(.plank)
    var form = Stream(.form)
    for ((line, text), time) in zip(rows, times) {
      let fields = CSVText.fields(of: text)
      guard fields.count == columns.count else {
        throw failure(
          file, line,
          "has \(NumberText.count(fields.count, "field")); the header has \(columns.count)")
      }
      guard let given = Double(fields[columns.time]), abs(given - time) <= 1e-6 else {
        throw failure(
          file, line,
          "t is `\(fields[columns.time])`, but the frame's time is \(time); "
            + "write the times of the recording")
      }
      try plank.append(fields[columns.plank]) { problem in failure(file, line, problem) }
      try form.append(fields[columns.form]) { problem in failure(file, line, problem) }
    }
    return PerStream(plank: plank.outcome, form: form.outcome)
  }

  private static func rows(of text: String) -> [(line: Int, text: Substring)] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { (line: $0 + 1, text: $1) }.filter { !$0.text.isEmpty }
  }

  private func failure(_ file: String, _ line: Int, _ problem: String) -> WorkflowFailure {
    WorkflowFailure(.badData, "\(file):\(line): \(problem)")
  }
}

extension PredictionsFolder {
  private struct Columns {
    let count: Int
    let time: Int
    let plank: Int
    let form: Int

    init(_ header: Substring, _ place: String) throws {
      let names = CSVText.fields(of: header)
        .map { $0.hasPrefix("\u{FEFF}") ? $0.dropFirst() : $0 }
      func index(_ name: Substring) throws -> Int {
        let found = names.indices.filter { names[$0] == name }
        guard let index = found.first else {
          throw WorkflowFailure(
            .badData, "\(place): has no column `\(name)`; the header must have t, plank and form")
        }
        guard found.count == 1 else {
          throw WorkflowFailure(
            .badData, "\(place): names the column `\(name)` \(found.count) times; keep one of them")
        }
        return index
      }
      count = names.count
      time = try index("t")
      plank = try index("plank")
      form = try index("form")
    }
  }

  private struct Stream {
    private let labels: [String]
    private let stream: AnswerStream
    private var answers: [UInt8] = []
    private var isDetermined: [Bool] = []

    init(_ stream: AnswerStream) {
      self.stream = stream
      labels = stream.labels
    }

    mutating func append(_ field: Substring, _ failure: (String) -> WorkflowFailure) throws {
      guard !field.isEmpty else {
        answers.append(0)
        isDetermined.append(false)
        return
      }
      guard let code = labels.firstIndex(where: { $0 == field }) else {
        throw failure(
          "`\(field)` is not a \(stream.rawValue) class; "
            + NearestNames.choice(String(field), of: "classes", labels))
      }
      answers.append(UInt8(code))
      isDetermined.append(true)
    }

    var outcome: StreamOutcome {
      StreamOutcome(
        answers: answers, isDetermined: isDetermined,
        isHeld: Array(repeating: false, count: answers.count))
    }
  }
}

extension PredictionsFolder {
  init(existing path: String) throws {
    guard try FileDescriptor.isFolder(path) else {
      throw WorkflowFailure(
        .noInput, "\(path): no such folder; give a folder with one NAME.csv per sequence")
    }
    self.init(path: path)
  }
}

extension PredictionsFolder {
  /// Sorted by name.
  ///
  /// A file of answers is a `.csv` whose header has `t`, `plank` and `form`; `names` includes those
  /// of other splits.
  func strays(_ names: Set<String>) throws -> [String] {
    try InputFiles.paths(below: path).filter { file in
      try file.lowercased().hasSuffix(".csv") && !names.contains(String(file.dropLast(4)))
        && isTable(path + "/" + file)
    }.sorted()
  }

  /// Returns a warning about files that belong to no sequence.
  ///
  /// Throws `noInput` for the first sequence without answers and lists stray files, because
  /// renaming a sequence leaves one.
  func check(scored: [String], all: [String]) throws -> String? {
    let strays = try strays(Set(all))
    let words = strays.isEmpty ? nil : Self.sentence(strays)
    for name in scored {
      let file = path + "/" + name + ".csv"
      guard try !FileDescriptor.exists(file) else { continue }
      throw WorkflowFailure(
        .noInput,
        "\(file): no such file; write the answers of the sequence \(name)"
          + (words.map { ", or rename its file if it was renamed: \(path): \($0)" } ?? ""))
    }
    return words.map {
      "warning: \(path): \($0), and is not scored; rename the file after its sequence, add the "
        + "sequence to the manifest, or remove the file"
    }
  }

  private static func sentence(_ files: [String]) -> String {
    let shown = files.prefix(5).joined(separator: ", ")
    let rest = files.count > 5 ? " and \(files.count - 5) more" : ""
    return
      "\(shown)\(rest) \(files.count == 1 ? "belongs" : "belong") to no sequence of the dataset"
  }

  private func isTable(_ file: String) throws -> Bool {
    guard try FileDescriptor.isFile(file), let data = FileManager.default.contents(atPath: file)
    else { return false }
    let header = String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let names = header.split { $0 == "," || $0 == "\r" || $0 == "\u{FEFF}" }
    return ["t", "plank", "form"].allSatisfy { names.contains(Substring($0)) }
  }
}
