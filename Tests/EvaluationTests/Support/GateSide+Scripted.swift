@testable import Evaluation

extension GateSide {
  /// People with twenty frames of a high plank each, of which the first few are answered none.
  static func scripted(_ wrong: [Int], tags: [[String: String]] = []) -> GateSide {
    GateSide(
      sequences: wrong.enumerated().map { index, count in
        var scenario = Scenario(
          String(repeating: "h", count: 20),
          answers: String(repeating: "n", count: count)
            + String(repeating: "h", count: 20 - count),
          name: "q\(index + 1)", subject: "s\(index + 1)")
        if index < tags.count { scenario.tags = tags[index] }
        return SequenceScores(scenario.outcome)
      })
  }
}
