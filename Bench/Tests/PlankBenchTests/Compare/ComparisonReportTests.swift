import Foundation
@_spi(Bench) import PoseModel
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

  private func report(_ before: [Int], _ after: [Int]) throws -> ResultEnvelope<ComparisonReport> {
    let (first, second) = (try scores(before), try scores(after))
    return ResultEnvelope(
      ComparisonReport(
        reference: "a",
        pairs: [
          .init(
            name: "b",
            comparison: PairedComparison(
              first, second,
              keys: MetricKey.headlines + [MetricKey(.recall, in: .form, label: "sag")],
              resamples: 200))
        ],
        sides: [ScoredSide(name: "a", scores: first), ScoredSide(name: "b", scores: second)]),
      on: DatasetIdentity(
        name: "people", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["sides": "a; b", "resamples": "200", "seed": "0"])
  }

  @Test(
    "The result reads back from JSON as it was, and its documents are the same",
    arguments: [[4, 0, 3, 2], [0, 0, 0, 0], [9]])
  func roundTrip(after: [Int]) throws {
    let made = try report(after.indices.map { $0 % 2 }, after)
    let read = try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(made.json.utf8))
    #expect(read == made)
    #expect(read.page == made.page && read.document == made.document)
    #expect(read.json == made.json)
  }

  @Test("An interval is an object, and null with the reason where there is none")
  func intervals() throws {
    let several = try report([0, 1, 0, 1], [4, 2, 5, 7]).json
    #expect(several.contains("\"method\": \"cluster_t\""))
    #expect(several.contains("\"wider\": "))
    let single = try report([0], [4]).json
    #expect(single.contains("\"reason\": \"fewer than two subjects\""))
    #expect(!single.contains("\"wider\""))
  }

  @Test("A page shows each side's matrix in frames and seconds, and its classes")
  func page() throws {
    let page = try report([0, 1, 0, 1], [4, 2, 5, 7]).page
    let sides = page.blocks.compactMap { block -> String? in
      guard case .matrix(let matrix) = block else { return nil }
      return "\(matrix.title) \(matrix.side) \(matrix.frames.joined().reduce(0, +))"
    }
    #expect(sides == ["plank a 160", "plank b 160", "form a 160", "form b 160"])
  }
}
