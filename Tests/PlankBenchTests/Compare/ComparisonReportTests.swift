import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("Report of a comparison")
struct ComparisonReportTests {
  /// Scores of some people, each with so many wrong frames of 40.
  private func scores(_ wrong: [Int]) throws -> [SequenceScores] {
    let times = (0..<40).map { Double($0) / 10 }
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(4), plank: .high, form: .aligned)
    ])
    return wrong.enumerated().map { person, count in
      func answers(_ right: UInt8, _ other: UInt8) -> StreamOutcome {
        StreamOutcome(answers: times.indices.map { $0 < count ? other : right })
      }
      return SequenceScores(
        SequenceOutcome(
          name: "q\(person)", subject: person == 0 ? nil : "s\(person)",
          tags: ["view": "side"], times: times, truth: track.truth(at: times),
          plank: answers(PlankClass.high.code, PlankClass.none.code),
          form: answers(FormClass.aligned.code, FormClass.sag.code), frameWeight: Seconds(0.1)))
    }
  }

  private func report(
    _ sides: [[Int]], by keys: [MetricKey] = MetricKey.deciding, margin: Double? = nil
  ) throws -> ResultEnvelope<ComparisonReport> {
    let scores = try sides.map { try self.scores($0) }
    let names = ["first", "second", "third", "fourth"]
    let pairs = scores.dropFirst().map {
      PairedComparison(
        scores[0], $0, keys: MetricKey.compared(decidedBy: keys), tested: keys, resamples: 200)
    }
    return ResultEnvelope(
      ComparisonReport(
        reference: names[0],
        pairs: zip(names.dropFirst(), PairedComparison.decided(pairs, by: keys, margin: margin))
          .map { .init(name: $0, comparison: $1) },
        margin: margin, sides: zip(names, scores).map { ScoredSide(name: $0, scores: $1) }),
      on: DatasetIdentity(
        name: "people", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["sides": "first; second", "resamples": "200", "seed": "0"])
  }

  private func screen(
    _ sides: [[Int]], by keys: [MetricKey] = MetricKey.deciding, margin: Double? = nil
  ) throws -> String {
    TextRenderer().render(
      ComparisonScreen(try report(sides, by: keys, margin: margin).result).document)
  }

  /// A text as one line, however it is wrapped.
  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(
    "The result reads back from JSON as it was, and its documents are the same",
    arguments: [[4, 0, 3, 2], [0, 0, 0, 0], [9]])
  func roundTrip(after: [Int]) throws {
    let made = try report([after.indices.map { $0 % 2 }, after], margin: 0.02)
    let read = try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(made.json.utf8))
    #expect(read == made)
    #expect(read.page == made.page && read.document == made.document)
    #expect(read.json == made.json)
  }

  @Test("An interval is an object, and null with the reason where there is none")
  func intervals() throws {
    let several = try report([[0, 1, 0, 1], [4, 2, 5, 7]]).json
    #expect(several.contains("\"method\": \"cluster_t\""))
    #expect(several.contains("\"wider\": "))
    let single = try report([[0], [4]]).json
    #expect(single.contains("\"reason\": \"fewer than two subjects\""))
    #expect(!single.contains("\"wider\""))
  }

  @Test("A page shows each side's matrix in frames and seconds, and its classes")
  func page() throws {
    let page = try report([[0, 1, 0, 1], [4, 2, 5, 7]]).page
    let tables = page.html.text.split(separator: "<table class=\"matrix\" ").dropFirst()
    let sides = tables.map { part in
      let names = part.firstMatch(of: /data-title="(\w+)" data-side="(\w+)"/)
      let table = part.prefix(upTo: part.firstRange(of: "</table>")?.lowerBound ?? part.endIndex)
      let frames = table.matches(of: /data-frames="(\d+)"/).compactMap { Int($0.1) }
      return "\(names?.1 ?? "") \(names?.2 ?? "") \(frames.reduce(0, +))"
    }
    #expect(sides == ["plank first 160", "plank second 160", "form first 160", "form second 160"])
  }

  private static let few = [2, 3, 1, 2, 4, 2, 3]
  private static let many = [9, 12, 8, 10, 12, 9, 11]

  @Test(
    "The first line says what to do",
    arguments: [
      ([many, few], "Take `second`: it is better than `first` at plank and form."),
      ([few, many], "Keep `first`: `second` is worse at plank and form."),
      ([few, few], "Take either: no difference between `first` and `second` was found."),
      (
        [[0, 5, 9], [9, 0, 4]],
        "Keep `first`: 3 people cannot tell whether `second` is better or worse. Record more; "
          + "--margin 0.05 says how many."
      ),
      (
        [[4], [0]],
        "Name the people first (`subject` in dataset.yaml): without names, all recordings count as "
          + "one person."
      ),
      (
        [[4], [4]],
        "Name the people first (`subject` in dataset.yaml): without names, all recordings count as "
          + "one person."
      ),
      ([many, few, many], "Take `second`: it is better than `first`."),
      (
        [many, few, few],
        "Take one of `second` and `third`: each is better than `first`. They were not compared "
          + "with each other."
      ),
      ([few, many, few], "Keep `first`: neither of the others is shown to be better."),
      ([few, few, few], "Take any of them: no difference from `first` was found."),
    ])
  func firstLine(sides: [[Int]], expected: String) throws {
    let text = try screen(sides)
    let first = text.components(separatedBy: "\n\n")[0]
    #expect(flat(first) == expected)
  }

  @Test("One person alike on both sides is not every person")
  func onePersonAlike() throws {
    let text = flat(try screen([[4], [4]]))
    #expect(
      text.contains("Plank: the same: `f1_macro_truth` 0.947, for people without names."), "\(text)"
    )
    #expect(!text.contains("every person") && !text.contains("intervals are"), "\(text)")
    let several = flat(try screen([Self.few, Self.many]))
    #expect(several.contains("intervals are 95 %, for both tests together"), "\(several)")
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
    let keys = MetricKey.deciding
    let pair = PairedComparison(
      scores[0], scores[1], keys: MetricKey.compared(decidedBy: keys), tested: keys,
      resamples: 200)
    let report = ComparisonReport(
      reference: "first",
      pairs: [
        .init(
          name: "second", comparison: PairedComparison.decided([pair], by: keys, margin: nil)[0])
      ],
      margin: nil,
      sides: zip(["first", "second"], scores).map { ScoredSide(name: $0, scores: $1) })
    return flat(
      TextRenderer().render(ComparisonScreen(report).document))
  }

  @Test("One person with a name is one person")
  func onePerson() throws {
    let text = try staged(planks: 30, people: 1, [(.high, .sag), (.forearm, .sag)])
    #expect(
      text.hasPrefix("Record more people: one person says nothing about the next."), "\(text)")
    #expect(text.contains(" -> 0.000, for one person."), "\(text)")
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

  @Test("A single frame is no ground for a verdict")
  func tiny() throws {
    let text = try staged(
      frames: 1, planks: 1, people: 1, [(.high, .sag), (.high, .sag)])
    #expect(text.hasPrefix("Label more first: only 1 frame is scored."), "\(text)")
    #expect(text.contains("Plank: no score, because only 1 frame is scored."), "\(text)")
    #expect(!text.contains("f1_macro_truth"), "no number follows: \(text)")
  }

  @Test("A side that is better is not taken where always answering one class would beat both")
  func belowConstant() throws {
    let text = try staged(planks: 30, [(.forearm, .sag), (.none, .sag)])
    #expect(
      text.hasPrefix(
        "Take neither yet: both are right less often than always answering `high` (75 % of the "
          + "time). Check units, axes and labels first: `planklab dataset lint`."), "\(text)")
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
    let sides = [side(alarms: 10), side(alarms: 8)]
    let keys = MetricKey.deciding
    let pair = PairedComparison(
      sides[0], sides[1], keys: MetricKey.compared(decidedBy: keys), tested: keys, resamples: 200)
    let report = ComparisonReport(
      reference: "first",
      pairs: [
        .init(
          name: "second", comparison: PairedComparison.decided([pair], by: keys, margin: nil)[0])
      ],
      margin: nil,
      sides: zip(["first", "second"], sides).map { ScoredSide(name: $0, scores: $1) })
    #expect(ComparisonCautions(report).obstacle == nil)
  }

  @Test("A single labeled class is said, because nothing is known about others")
  func oneClass() throws {
    let text = flat(try screen([Self.few, Self.many]))
    #expect(
      text.contains(
        "Labeled: plank only `high`, form only `aligned`. Nothing is known about other classes."),
      "\(text)")
  }

  @Test("Whatever fell is said, whatever the verdict")
  func fallen() throws {
    let text = flat(try screen([[0, 5, 9], [9, 0, 6]]))
    #expect(text.contains("Plank: cannot tell: `f1_macro_truth` fell 0.938 -> 0.933"), "\(text)")
    #expect(text.contains("of 3 people 1 got worse, 2 better."), "\(text)")
    for sides in [[Self.few, Self.many], [Self.many, Self.few], [[0], [9]]] {
      #expect(!(try screen(sides)).contains("Nothing is worse"))
    }
  }

  @Test("Small differences are bounded: the same within what the interval excludes")
  func within() throws {
    let text = flat(try screen([[4, 3, 5, 4, 6, 3, 4], [4, 4, 4, 4, 6, 3, 4]]))
    #expect(text.contains("no difference found: "), "\(text)")
    #expect(text.contains("the same within 0.0"), "\(text)")
    #expect(text.hasPrefix("Take either: "), "\(text)")
  }

  @Test("Too few people who differ alike are no verdict")
  func alike() throws {
    let text = flat(try screen([[4, 5, 6], [2, 3, 4]], by: [MetricKey(.accuracy, in: .plank)]))
    #expect(text.contains("alike for all 3 people, who are too few to exclude chance."), "\(text)")
  }

  @Test("A metric without a number is undefined, not the same")
  func undefined() throws {
    let keys = [MetricKey(.recall, in: .form, label: "sag")]
    let made = try report([Self.few, Self.many], by: keys)
    let text = flat(try screen([Self.few, Self.many], by: keys))
    #expect(text.contains("`form.recall[sag]`: `recall[sag]` is undefined: the class has no truth"))
    #expect(made.result.pairs[0].judged[0].claim.verdict == .undefined)
    #expect(text.hasPrefix("Decide by another metric (--metric): `form.recall[sag]`"), "\(text)")
    #expect(text.contains("paired by person; nothing was tested."), "\(text)")
    let full = flat(TextRenderer().render(made.document))
    #expect(full.contains("Undefined on both sides, so there is nothing to compare: "), "\(full)")
    #expect(!full.contains("The same for every person: `form.recall[sag]`"))
  }

  @Test("A margin says how many people, and without one no number of people is named")
  func margin() throws {
    let sides = [[0, 5, 9, 3], [9, 0, 6, 4]]
    let text = flat(try screen(sides, margin: 0.05))
    #expect(text.contains("To find a difference of 0.05 in four of five comparisons: "))
    #expect(text.contains("Planned from the spread among 4 people"), "\(text)")
    #expect(!(try screen(sides)).contains("To find a difference"))
  }

  @Test(
    "The screen fits 80 columns and 25 lines",
    arguments: [
      [few, many], [[0, 5, 9], [9, 0, 6]], [[1], [4]], [few, many, few, [1, 9, 0, 4, 2, 8, 3]],
    ])
  func size(sides: [[Int]]) throws {
    let lines = try screen(sides, margin: 0.02).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 26, "\(lines)")
  }

  @Test("Many undecided sides share a line, with their names")
  func together() throws {
    let text = flat(try screen([[0, 5, 9], [9, 0, 6], [8, 1, 6], [7, 0, 7]]))
    #expect(text.contains("Plank: cannot tell: `f1_macro_truth` 0.938 -> `second` 0.933, `third`"))
  }
}
