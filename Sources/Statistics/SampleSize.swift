/// The clusters' paired differences are taken as normal, and new clusters as like those of the
/// pilot.
///
/// The difference that the pilot happened to show plays no part: planned from it, too few clusters
/// come out whenever it is larger than the truth.
package struct SampleSize: Hashable, Sendable, Codable {
  package static let power = 0.8
  /// The share of pilots whose limit of the standard deviation lies above the true one.
  ///
  /// It holds for normal differences. Scores of people are skewed, and four of five pilots then
  /// plan enough; with 0.8 here, three of four did.
  package static let confidence = 0.85
  /// The fewest clusters of any plan: with fewer, not even a difference that all clusters share is
  /// beyond chance at a risk of 0.05.
  package static let fewest = SignFlipTest.fewestClusters(risk: 0.05)
  package static let most = 1_000_000

  package let margin: Double
  /// How many clusters it takes, within `fewest...most`; nil beyond that.
  package let clusters: Int?
  package let standardDeviation: Double
  package let standardDeviationLimit: Double

  private enum CodingKeys: String, CodingKey {
    case margin
    case clusters = "people"
    case standardDeviation = "standard_deviation"
    case standardDeviationLimit = "standard_deviation_limit"
  }

  /// The standard deviation of n differences is s = sqrt(n) times the standard error; with
  /// probability `confidence` the true one is below s sqrt((n - 1) / chi2(1 - confidence, n - 1)).
  ///
  /// The plan is the least number N for which (t(1 - risk / 2, N - 1) + t(power, N - 1)) times that
  /// limit over sqrt(N) is at most the margin, which is above 0; `risk` is how often a difference
  /// may be claimed if there is none. Source: Browne 1995, Statistics in Medicine 14:1933, on the
  /// use of a pilot's limit.
  package init(margin: Double, pilot: StudentTest, risk: Double) {
    precondition(margin > 0 && risk > 0 && risk < 1, "a plan has a margin and a risk")
    self.margin = margin
    let freedom = Double(pilot.clusters - 1)
    standardDeviation = pilot.standardError * Double(pilot.clusters).squareRoot()
    let chi = ChiSquared.quantile(1 - Self.confidence, freedom: freedom)
    standardDeviationLimit = standardDeviation * (freedom / chi).squareRoot()
    clusters = Self.least(margin: margin, spread: standardDeviationLimit, risk: risk)
  }

  private static func least(margin: Double, spread: Double, risk: Double) -> Int? {
    func suffices(_ clusters: Int) -> Bool {
      StudentTest(
        estimate: 0, standardError: spread / Double(clusters).squareRoot(), clusters: clusters
      ).detectableDifference(risk: risk, power: power) <= margin
    }
    guard suffices(most) else { return nil }
    var (low, high) = (fewest - 1, most)
    while high - low > 1 {
      let middle = (low + high) / 2
      if suffices(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
