import Evaluation
import PoseModel
import Testing

/// Values that aqudem agrees with; `scripts/oracles` says how.
@Suite("Ward goldens")
struct WardCountsGoldenTests {
  /// One sequence with frames and events of each class by kind of error.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Double
    let truth: String
    let answers: String
    let classes: [String: Values]

    var testDescription: String { name }
  }

  /// Frames in the order of `pieces`; events of truth and answers in the order of `events`.
  struct Values: Decodable, Sendable {
    let frames: [Int]
    let events: [[Int]]
  }

  static let cases = GoldenFile.cases("ward_metrics.json", of: Case.self)

  private let pieces: [WardPiece] = [
    .truePositive, .trueNegative, .deletion, .fragmenting, .underfillStart, .underfillEnd,
    .insertion, .merge, .overfillStart, .overfillEnd,
  ]
  private let events: [WardEvent] = [
    .correct, .alone, .fragmented, .merged, .fragmentedAndMerged,
  ]

  @Test("The file has at least fifty random cases")
  func fileIsComplete() {
    #expect(Self.cases.count { $0.name.hasPrefix("random") } >= 50)
    #expect(Self.cases.contains { $0.classes.isEmpty })
  }

  @Test("Every piece of time and every event is sorted as Ward sorts it", arguments: cases)
  func agrees(golden: Case) throws {
    let counts = SequenceScores(
      Scenario(golden.truth, answers: golden.answers, rate: golden.rate).outcome
    ).plank.temporal
    for (letter, expected) in golden.classes {
      let code = Int(Scenario.plankCode(try #require(letter.first)))
      let ward = counts.classes[code - 1].ward
      for (piece, frames) in zip(pieces, expected.frames) {
        #expect(abs(ward.seconds(piece) * golden.rate - Double(frames)) < 1e-9, "\(piece)")
      }
      #expect(events.map(ward.truth) == expected.events[0])
      #expect(events.map(ward.answers) == expected.events[1])
    }
  }
}
