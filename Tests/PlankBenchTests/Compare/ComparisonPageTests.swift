import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("The page of a comparison")
struct ComparisonPageTests {
  static let hostile = "</code><img src=x onerror=alert(1)> \" ' & `x`"

  /// What people hold for 4 s at 10 Hz: `high` and sagging, or nothing about form.
  private static func outcomes(
    _ wrong: [Int], hasForm: Bool = true, named name: String = "q"
  ) throws -> [SequenceOutcome] {
    let times = (0..<40).map { Double($0) / 10 + 1 }
    let track = try LabelTrack([
      LabeledSegment(
        start: Seconds(1), end: Seconds(5), plank: .high, form: hasForm ? .aligned : nil)
    ])
    return wrong.enumerated().map { person, count in
      func answers(_ right: UInt8, _ other: UInt8) -> StreamOutcome {
        StreamOutcome(answers: times.indices.map { $0 < count ? other : right })
      }
      return SequenceOutcome(
        name: "\(name)\(person)", subject: "\(name)s\(person)", tags: [:], times: times,
        truth: track.truth(at: times),
        plank: answers(PlankClass.high.code, PlankClass.none.code),
        form: answers(FormClass.aligned.code, FormClass.sag.code), frameWeight: Seconds(0.1))
    }
  }

  /// A comparison of sides that are wrong in so many of 40 frames, person by person.
  private static func envelope(
    _ sides: [[Int]], hasForm: Bool = true, names: [String] = ["first", "second", "third"],
    recording: String = "q"
  ) throws -> ResultEnvelope<ComparisonReport> {
    let outcomes = try sides.map { try Self.outcomes($0, hasForm: hasForm, named: recording) }
    let scores = outcomes.map { $0.map { SequenceScores($0) } }
    let places = Dictionary(uniqueKeysWithValues: outcomes[0].map { ($0.name, ["data", $0.name]) })
    return ResultEnvelope(
      ComparisonReport(
        reference: names[0],
        pairs: scores.indices.dropFirst().map { index in
          ComparisonReport.Pair(
            name: names[index],
            advice: StreamAdvice(scores[0], scores[index], candidates: scores.count - 1) { _ in 1 },
            comparison: PairedComparison(
              scores[0], scores[index], keys: MetricKey.headlines, resamples: 200),
            recordings: zip(outcomes[0], outcomes[index]).flatMap { before, after in
              RecordingDifference.sizes(before, after).map {
                RecordingDifference(before, after, $0.stream)
              }
            })
        }, sides: zip(names, scores).map { ScoredSide(name: $0, scores: $1) },
        commands: .init(
          again: ["compare", "data"] + names,
          explain: Dictionary(
            uniqueKeysWithValues: names.map {
              ($0, ExplainCommand(places: places, options: [["--detector", $0]]))
            }))),
      on: DatasetIdentity(
        name: recording, hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["resamples": "200", "seed": "0"])
  }

  private static let few = [2, 3, 1, 2, 4, 2, 3]
  private static let many = [9, 12, 8, 10, 12, 9, 11]

  @Test("Every number of the page equals that of the saved result")
  func numbers() throws {
    let json = try Self.envelope([Self.few, Self.many]).json
    let saved = try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(json.utf8))
    let html = saved.page.html.text
    let pair = saved.result.pairs[0]
    for metric in pair.comparison.metrics where !metric.isUnchanged && !metric.isUndefined {
      let difference = NumberText.signed(try #require(metric.difference), 3)
      #expect(html.contains("<code>\(metric.key)</code>"))
      #expect(html.contains("\(metric.before.text()) → <b>\(metric.after.text())</b>"))
      guard let bounds = metric.intervals.wider.interval else { continue }
      #expect(
        html.contains(
          "\(difference) (\(NumberText.signed(bounds.lower, 3)) to "
            + "\(NumberText.signed(bounds.upper, 3)))"),
        "\(metric.key)")
    }
    for stream in AnswerStream.allCases {
      #expect(html.contains(try #require(pair.advice[stream]).sentence))
      for person in try #require(pair.metric(stream)).subjects {
        #expect(html.contains("\(person.before.text()) → \(person.after.text())"))
      }
    }
    let seconds = saved.result.sides.map { $0.streams.plank.seconds }
    let row = Int(PlankClass.high.code)
    let change = seconds[1][row, row] - seconds[0][row, row]
    #expect(html.contains(">\(NumberText.signed(change, 1))<"))
    for recording in pair.recordings {
      #expect(
        html.contains(
          "\(recording.stream.rawValue): \(NumberText.fixed(recording.lost.value, 2)) s lost, "
            + "\(NumberText.fixed(recording.won.value, 2)) s won"))
    }
  }

  @Test("A saved result gives the same page")
  func saved() throws {
    let made = try Self.envelope([Self.few, Self.many, [4, 3, 2, 2, 9, 2, 1]])
    let read = try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(made.json.utf8))
    #expect(read == made && read.page == made.page)
  }

  @Test("Few numbers are open, the table is behind two folds")
  func folds() throws {
    let html = try Self.envelope([Self.few, Self.many]).page.html.text
    var (depth, open, table) = (0, "", 0)
    for part in html.split(separator: "<") {
      if part.hasPrefix("details") { depth += 1 }
      if part.hasPrefix("/details") { depth -= 1 }
      if depth == 0 { open += " " + (part.split(separator: ">").dropFirst().first ?? "") }
      if part.contains("better/same/worse") { table = depth }
    }
    let numbers = open.matches(of: /\d+(\.\d+)?/).count
    #expect(numbers < 180, "\(numbers) open numbers")
    #expect(table == 2)
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() throws {
    let page = try Self.envelope(
      [Self.few, Self.many, Self.few], names: ["a", "b", "c"].map { $0 + Self.hostile },
      recording: Self.hostile
    ).page
    let html = try ReportPage.html([SavedResult(name: Self.hostile, page)])
    #expect(!html.contains("<img"))
    #expect(html.contains("&lt;img src=x onerror=alert(1)&gt;"))
    #expect(!html.contains(" style="))
  }

  @Test("The first heading is the answer, with a state in words")
  func verdict() throws {
    let worse = try Self.envelope([Self.few, Self.many]).page.html.text
    #expect(worse.contains("<h1>Plank: Keep yours (proven): "))
    #expect(worse.contains("<br>Form: Keep yours (proven): "))
    #expect(worse.contains("</b> Keep yours</p>") && worse.contains("panel verdict bad"))
    #expect(worse.contains("planklab explain data q1 --at"))
    let better = try Self.envelope([Self.many, Self.few]).page.html.text
    #expect(better.contains("</b> Take it</p>") && better.contains("panel verdict good"))
    #expect(better.contains("compare data first second third --thresholds thresholds.json"))
  }

  @Test("One person has no bars of people")
  func onePerson() throws {
    let html = try Self.envelope([[2], [6]]).page.html.text
    #expect(!html.contains("person by person") && html.contains("from 1 person."))
  }

  @Test("Where nothing differs, the page says so")
  func same() throws {
    let html = try Self.envelope([Self.few, Self.few]).page.html.text
    #expect(html.contains("Every cell is the same on both sides."))
    #expect(html.contains("In no recording is one side right where the other is wrong."))
  }

  @Test("A stream without labels has neither matrix nor people")
  func unlabeled() throws {
    let html = try Self.envelope([Self.few, Self.many], hasForm: false).page.html.text
    #expect(html.contains("Form: not labeled."))
    #expect(!html.contains("form: seconds won and lost"))
  }
}

@Suite("Recordings in which sides differ")
struct RecordingDifferenceTests {
  @Test("Seconds that one side alone has right, the longest stretch of them, and runs")
  func kept() throws {
    let times = [2, 2.1, 2.2, 2.3, 2.4, 2.5]
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(2), end: Seconds(2.45), plank: .high, form: nil)
    ])
    func outcome(_ answers: [PlankClass]) -> SequenceOutcome {
      SequenceOutcome(
        name: "q", subject: "s", tags: [:], times: times, truth: track.truth(at: times),
        plank: StreamOutcome(answers: answers.map(\.code)),
        form: StreamOutcome(answers: times.map { _ in FormClass.aligned.code }),
        frameWeight: Seconds(0.1))
    }
    let before = outcome([.high, .high, .none, .high, .none, .none])
    let after = outcome([.none, .none, .high, .none, .reverse, .high])
    let size = try #require(RecordingDifference.sizes(before, after).first)
    let kept = RecordingDifference(before, after, .plank)
    #expect(RecordingDifference.sizes(before, after).count == 1)
    #expect(abs(size.lost - 0.3) < 1e-9 && abs(size.won - 0.1) < 1e-9)
    #expect(kept.lost.value == size.lost && kept.won.value == size.won)
    #expect(kept.longestLost?.start.value == 2 && kept.longestLost?.after == "none")
    #expect(kept.longestWon?.middle.value == 2.2)
    #expect(kept.truth.classes == ["high", nil])
    #expect(kept.before.classes == ["high", "none", "high", "none"])
    #expect(abs((kept.before.ends.last?.value ?? 0) - 0.6) < 1e-9)
    #expect(kept.truth.spans.map(\.label) == ["high"])
    #expect(RecordingDifference.sizes(before, before).isEmpty)
  }
}

@Suite("Bars whose width follows the page")
struct BarScaleTests {
  @Test("Marks sit at their value, not at the nearest step")
  func place() {
    let scale = BarScale(range: -0.5...0.5)
    #expect(scale.place(0.104) == "60.40%" && scale.place(-2) == "0.00%")
    let row = Forest.Row(
      name: "m", before: "0", after: "0.1", difference: "+0.104", gain: 0.104,
      interval: -0.1...0.3, verdict: "", tone: .plain, details: "")
    let html = Forest(
      reference: "a", candidate: "b", groups: [.init(unit: "", rows: [row])]
    ).html.text
    // The reach of 0.3 rounds up to an axis from -0.5 to 0.5.
    #expect(html.contains("cx=\"60.40%\"") && html.contains("x=\"40.00%\" width=\"40.00%\""))
  }

  @Test("The ends are round", arguments: [(0.42, 0.5), (0.5, 0.5), (1.2, 2), (0, 1), (17, 20)])
  func ends(magnitude: Double, end: Double) {
    #expect(abs(BarScale.roundEnd(magnitude) - end) < 1e-9)
  }
}
