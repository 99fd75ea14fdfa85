/// How often something happened in independent trials, with what that says about the true share.
package struct ShareOfTrials: Hashable, Sendable {
  /// How often it happened.
  package let count: Int
  /// The number of trials, at least 1.
  package let trials: Int

  /// Counts.
  package init(_ count: Int, of trials: Int) {
    precondition(trials > 0 && (0...trials).contains(count), "a share is of some trials")
    self.count = count
    self.trials = trials
  }

  /// The share: 0...1.
  package var share: Double { Double(count) / Double(trials) }

  /// The 95 % interval of the true share: 0...1.
  ///
  /// Source: Wilson (1927), JASA 22:209, the score interval.
  package var interval: ClosedRange<Double> {
    let (n, z) = (Double(trials), Normal.quantile(0.975))
    let center = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let lower = count == 0 ? 0 : max(0, center - half)
    return lower...(count == trials ? 1 : min(1, center + half))
  }
}

extension ShareOfTrials: Codable {
  private enum CodingKeys: String, CodingKey { case count, trials }

  /// Reads counts.
  ///
  /// - Throws: `DecodingError` for no trials, and for a count that they cannot have.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = try container.decode(Int.self, forKey: .count)
    trials = try container.decode(Int.self, forKey: .trials)
    guard trials > 0, (0...trials).contains(count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .count, in: container,
        debugDescription: "needs a trial, and a count from 0 to the number of trials")
    }
  }
}
