import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("Report of a comparison")
struct ComparisonReportTests {
  /// Scores of some people, each with so many wrong frames of 40, and so many in the form.
  private func scores(_ wrong: [Int], form: [Int]? = nil) throws -> [SequenceScores] {
    let times = (0..<40).map { Double($0) / 10 }
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(4), plank: .high, form: .aligned)
    ])
    return wrong.indices.map { person in
      func answers(_ count: Int, _ right: UInt8, _ other: UInt8) -> StreamOutcome {
        StreamOutcome(answers: times.indices.map { $0 < count ? other : right })
      }
      return SequenceScores(
        SequenceOutcome(
          name: "q\(person)", subject: person == 0 ? nil : "s\(person)",
          tags: ["view": "side"], times: times, truth: track.truth(at: times),
          plank: answers(wrong[person], PlankClass.high.code, PlankClass.none.code),
          form: answers((form ?? wrong)[person], FormClass.aligned.code, FormClass.sag.code),
          frameWeight: Seconds(0.1)))
    }
  }

  private static let names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]

  private func report(_ sides: [[SequenceScores]]) -> ComparisonReport {
    ComparisonReport(
      reference: Self.names[0],
      pairs: zip(Self.names, sides).dropFirst().map { name, scores in
        .init(
          name: name,
          advice: StreamAdvice(sides[0], scores, candidates: sides.count - 1) { _ in 1 },
          comparison: PairedComparison(
            sides[0], scores, keys: MetricKey.headlines, resamples: 200))
      }, sides: zip(Self.names, sides).map { ScoredSide(name: $0, scores: $1) },
      commands: .init(again: ["compare", "people"], explain: [:]))
  }

  private func envelope(_ sides: [[Int]]) throws -> ResultEnvelope<ComparisonReport> {
    ResultEnvelope(
      report(try sides.map { try scores($0) }),
      on: DatasetIdentity(
        name: "people", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["sides": "first; second", "resamples": "200", "seed": "0"])
  }

  private func screen(_ report: ComparisonReport) -> String {
    TextRenderer().render(ComparisonScreen(report).document)
  }

  private func screen(_ sides: [[Int]]) throws -> String {
    screen(report(try sides.map { try scores($0) }))
  }

  /// A text as one line, however it is wrapped.
  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let few = [2, 3, 1, 2, 4, 2, 3]
  private static let many = [9, 12, 8, 10, 12, 9, 11]

  @Test(
    "The result reads back from JSON as it was, and its documents are the same",
    arguments: [[4, 0, 3, 2], [0, 0, 0, 0], [9]])
  func roundTrip(after: [Int]) throws {
    let made = try envelope([after.indices.map { $0 % 2 }, after])
    let read = try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(made.json.utf8))
    #expect(read == made)
    #expect(read.page == made.page && read.document == made.document)
    #expect(read.json == made.json)
  }

  @Test("An interval is an object, and null with the reason where there is none")
  func intervals() throws {
    let several = try envelope([[0, 1, 0, 1], [4, 2, 5, 7]]).json
    #expect(several.contains("\"method\": \"cluster_t\""))
    #expect(several.contains("\"wider\": "))
    let single = try envelope([[0], [4]]).json
    #expect(single.contains("\"reason\": \"fewer than two subjects\""))
    #expect(!single.contains("\"wider\""))
  }

  @Test("A page shows each side's matrix in frames and seconds, and its classes")
  func page() throws {
    let page = try envelope([[0, 1, 0, 1], [4, 2, 5, 7]]).page
    let tables = page.html.text.split(separator: "<table class=\"matrix\" ").dropFirst()
    let sides = tables.map { part in
      let names = part.firstMatch(of: /data-title="(\w+)" data-side="(\w+)"/)
      let table = part.prefix(upTo: part.firstRange(of: "</table>")?.lowerBound ?? part.endIndex)
      let frames = table.matches(of: /data-frames="(\d+)"/).compactMap { Int($0.1) }
      return "\(names?.1 ?? "") \(names?.2 ?? "") \(frames.reduce(0, +))"
    }
    #expect(sides == ["plank first 160", "plank second 160", "form first 160", "form second 160"])
  }

  @Test(
    "Text, Markdown and page have the sentences of the advice on the scores, word for word",
    arguments: [[many, few], [few, many], [few, few], [[0, 5, 9], [9, 0, 4]], [[4], [0]]])
  func sentences(sides: [[Int]]) throws {
    let made = try envelope(sides)
    let (before, after) = (try scores(sides[0]), try scores(sides[1]))
    let page = made.page.html.text
    let texts = [screen(made.result), TextRenderer().render(made.document)]
    for stream in AnswerStream.allCases {
      let advice = Advice(PairedCounts(before, after, stream), settings: 1)
      #expect(made.result.pairs[0].advice[stream] == advice)
      let sentence = "\(stream.title): \(try #require(advice).sentence)"
      for text in texts { #expect(flat(text).contains(sentence), "\(text)") }
      #expect(page.contains(sentence))
      let markdown = MarkdownRenderer().render(made.document).replacing("\\", with: "")
      #expect(flat(markdown).contains(sentence))
    }
  }

  @Test("A side that is taken in one stream and kept in the other is mixed, with both sentences")
  func mixed() throws {
    let report = report([
      try scores(Self.many, form: Self.few), try scores(Self.few, form: Self.many),
    ])
    let text = flat(screen(report))
    #expect(text.hasPrefix("Mixed - Plank: Take it "), "\(text)")
    #expect(text.contains(" - Form: Keep yours "), "\(text)")
    #expect(report.advisedSide == 0)
    let answer = ComparisonAnswer(report)
    #expect(answer.state == .warning && answer.word == "Mixed")
  }

  @Test("Of several sides, the one with most to gain comes first in each stream, by its name")
  func several() throws {
    let sides = [Self.many, Self.few, Self.many.map { $0 - 4 }, Self.many.map { $0 + 6 }]
    let report = report(try sides.map { try scores($0) })
    let text = flat(screen(report))
    #expect(text.hasPrefix("`second`, plank: Take it "), "\(text)")
    let places = ["`second`", "`third`", "`fourth`"].map { name in
      AnswerStream.allCases.map { text.firstRange(of: "\(name), \($0.rawValue): ")?.lowerBound }
    }
    for stream in AnswerStream.allCases.indices {
      let order = places.compactMap { $0[stream] }
      #expect(order.count == 3 && (stream == 0 ? order[1] < order[2] : order == order.sorted()))
    }
    #expect(report.advisedSide == 1 && ComparisonAnswer(report).state == .good)
    #expect(report.pairs.allSatisfy { $0.advice.plank?.candidates == 3 })
  }

  @Test(
    "The state follows from the steps",
    arguments: [
      ([many, few], VerdictPanel.State.good, 1), ([few, many], .bad, 0), ([few, few], .unsure, 0),
      ([few, many, few], .unsure, 0), ([few, many, many], .bad, 0), ([many, many, few], .good, 2),
    ])
  func state(sides: [[Int]], state: VerdictPanel.State, advised: Int) throws {
    let report = report(try sides.map { try scores($0) })
    #expect(ComparisonAnswer(report).state == state)
    #expect(report.advisedSide == advised)
  }

  /// A screen whose people hold a plank in some of 40 frames, with both sides' answers.
  private func staged(
    frames: Int = 40, planks: Int, people: Int = 7, _ sides: [(PlankClass, FormClass)]
  ) throws -> String {
    let times = (0..<frames).map { Double($0) / 10 }
    let (middle, end) = (Seconds(Double(planks) / 10), Seconds(Double(frames) / 10))
    let track = try LabelTrack(
      [
        LabeledSegment(start: Seconds(0), end: middle, plank: .high, form: .sag),
        LabeledSegment(start: middle, end: end, plank: PlankClass.none, form: nil),
      ].filter { $0.end > $0.start })
    let scores = sides.map { plank, form in
      (0..<people).map { person in
        func always(_ code: UInt8) -> StreamOutcome {
          StreamOutcome(answers: times.map { _ in code })
        }
        return SequenceScores(
          SequenceOutcome(
            name: "q\(person)", subject: "s\(person)", tags: [:], times: times,
            truth: track.truth(at: times), plank: always(plank.code), form: always(form.code),
            frameWeight: Seconds(0.1)))
      }
    }
    return flat(screen(report(scores)))
  }

  @Test("One person with a name is one person")
  func onePerson() throws {
    let text = try staged(planks: 30, people: 1, [(.high, .sag), (.forearm, .sag)])
    #expect(text.contains("from 1 person."), "\(text)")
  }

  @Test("Two sides that never say anything are no tie")
  func silent() throws {
    let text = try staged(planks: 30, [(.none, .aligned), (.none, .aligned)])
    #expect(
      text.hasPrefix(
        "Check the recordings first (`planklab dataset lint`): no side answers anything but `none` "
          + "and `aligned`."), "\(text)")
    #expect(text.contains("`first` and `second` answer `none` in all 280 scored frames."))
  }

  @Test("A single frame is no ground for a choice")
  func tiny() throws {
    let text = try staged(
      frames: 1, planks: 1, people: 1, [(.high, .sag), (.high, .sag)])
    #expect(text.hasPrefix("Label more first: only 1 frame is scored."), "\(text)")
    #expect(text.contains("Scored: plank only 1 frame, form only 1 frame."), "\(text)")
  }

  @Test("The data are to be checked where always answering one class would beat both sides")
  func belowConstant() throws {
    let text = try staged(planks: 30, [(.forearm, .sag), (.none, .sag)])
    #expect(
      text.hasPrefix(
        "Check units, axes and labels first (`planklab dataset lint`): both are right less often "
          + "than always answering `high` (75 % of the time)."), "\(text)")
    #expect(text.contains("Plank: Take it "), "the advice is the same: \(text)")
  }

  @Test("A constant answer that is right more often stops nobody where every class is found")
  func unequalClasses() throws {
    let times = (0..<100).map { Double($0) / 10 }
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(9.5), plank: PlankClass.none, form: nil),
      LabeledSegment(start: Seconds(9.5), end: Seconds(10), plank: .high, form: .aligned),
    ])
    func side(alarms: Int) -> [SequenceScores] {
      let answers = times.indices.map { index in
        index >= 95 || index < alarms ? PlankClass.high.code : PlankClass.none.code
      }
      let outcome = SequenceOutcome(
        name: "q", subject: "s", tags: [:], times: times, truth: track.truth(at: times),
        plank: StreamOutcome(answers: answers),
        form: StreamOutcome(answers: times.map { _ in 0 }), frameWeight: Seconds(0.1))
      return [SequenceScores(outcome)]
    }
    #expect(ComparisonCautions(report([side(alarms: 10), side(alarms: 8)])).obstacle == nil)
  }

  @Test("A single labeled class is said, because nothing is known about others")
  func oneClass() throws {
    let text = flat(try screen([Self.few, Self.many]))
    #expect(
      text.contains(
        "Labeled: plank only `high`, form only `aligned`. Nothing is known about other classes."),
      "\(text)")
  }

  @Test("A metric without a number is undefined, not the same")
  func undefined() throws {
    let made = try envelope([Self.few, Self.many])
    let full = flat(TextRenderer().render(made.document))
    let undefined = made.result.pairs[0].comparison.metrics.filter(\.isUndefined)
    #expect(!undefined.isEmpty)
    let parts = full.components(
      separatedBy: "Undefined on both sides, so there is nothing to compare: ")
    try #require(parts.count == 2, "\(full)")
    let same = parts[0].components(separatedBy: "The same for every person: ").dropFirst().joined()
    for metric in undefined {
      #expect(parts[1].contains("`\(metric.key)`") && !same.contains("`\(metric.key)`"))
    }
  }

  @Test(
    "The screen fits 80 columns and 25 lines, also with many sides",
    arguments: [
      [few, many], [[0, 5, 9], [9, 0, 6]], [[1], [4]], [few, many, few, [1, 9, 0, 4, 2, 8, 3]],
      [few, many, few, many, few, many, [1, 9, 0, 4, 2, 8, 3]],
    ])
  func size(sides: [[Int]]) throws {
    let text = try screen(sides)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 26, "\(lines)")
    #expect(sides.count < 7 || flat(text).contains(" more, which gain less."), "\(text)")
  }
}
