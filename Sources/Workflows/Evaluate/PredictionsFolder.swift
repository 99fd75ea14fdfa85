internal import Evaluation
internal import PoseModel

/// Answers of any other detector: a folder with one `NAME.csv` a sequence.
///
/// The header names at least `t`, `plank` and `form`; other columns are ignored. There is one row a
/// frame of the recording, in order, at the frame's time to the microsecond. An empty answer
/// counts as the stream's empty class and as undetermined.
struct PredictionsFolder: Sendable {
  /// The answers of a sequence.
  struct Answers {
    var plank: StreamOutcome
    var form: StreamOutcome
  }

  /// The folder's path.
  let path: String

  /// Reads the answers of a sequence.
  ///
  /// - Throws: `WorkflowFailure` naming file and line for a missing file, a missing column, an
  ///   unknown class, and rows that do not match the frames.
  func answers(_ sequence: String, times: [Double]) throws(WorkflowFailure) -> Answers {
    let file = path + "/" + sequence + ".csv"
    let lines = try InputText.read(file).split(
      omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    guard let header = lines.first else { throw failure(file, 1, "is empty; write t,plank,form") }
    let columns = try Columns(header, file)
    guard lines.count - 1 == times.count else {
      throw failure(
        file, lines.count,
        "has \(lines.count - 1) rows for the recording's \(times.count) frames; write one a frame")
    }
    var plank = Stream(.plank)
    var form = Stream(.form)
    for (index, time) in times.enumerated() {
      let line = index + 2
      let fields = lines[index + 1].split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == columns.count else {
        throw failure(file, line, "has \(fields.count) fields; the header has \(columns.count)")
      }
      guard let given = Double(fields[columns.time]), abs(given - time) <= 1e-6 else {
        throw failure(
          file, line,
          "t is `\(fields[columns.time])`, the frame's time is \(time); "
            + "write the times of the recording")
      }
      try plank.append(fields[columns.plank]) { problem in failure(file, line, problem) }
      try form.append(fields[columns.form]) { problem in failure(file, line, problem) }
    }
    return Answers(plank: plank.outcome, form: form.outcome)
  }

  private func failure(_ file: String, _ line: Int, _ problem: String) -> WorkflowFailure {
    WorkflowFailure(.badData, "\(file):\(line): \(problem)")
  }
}

extension PredictionsFolder {
  /// Where the needed columns stand.
  private struct Columns {
    let count: Int
    let time: Int
    let plank: Int
    let form: Int

    init(_ header: Substring, _ file: String) throws(WorkflowFailure) {
      let names = header.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("\u{FEFF}") ? $0.dropFirst() : $0 }
      func index(_ name: Substring) throws(WorkflowFailure) -> Int {
        guard let index = names.firstIndex(of: name) else {
          throw WorkflowFailure(
            .badData, "\(file):1: has no column `\(name)`; the header must name t, plank and form")
        }
        return index
      }
      count = names.count
      time = try index("t")
      plank = try index("plank")
      form = try index("form")
    }
  }

  /// The answers of one stream as they come.
  private struct Stream {
    private let labels: [String]
    private let stream: AnswerStream
    private var answers: [UInt8] = []
    private var isDetermined: [Bool] = []

    init(_ stream: AnswerStream) {
      self.stream = stream
      labels = stream.labels
    }

    mutating func append(
      _ field: Substring, _ failure: (String) -> WorkflowFailure
    ) throws(WorkflowFailure) {
      guard !field.isEmpty else {
        answers.append(0)
        isDetermined.append(false)
        return
      }
      guard let code = labels.firstIndex(where: { $0 == field }) else {
        throw failure(
          "`\(field)` is no \(stream.rawValue) class; classes are "
            + labels.joined(separator: ", "))
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
