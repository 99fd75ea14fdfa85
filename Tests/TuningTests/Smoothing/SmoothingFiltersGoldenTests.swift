import Foundation
import PlankDetection
import Testing
import Tuning

@Suite("Smoothing filters against published implementations")
struct SmoothingFiltersGoldenTests {
  struct Golden: Decodable {
    struct Series: Decodable {
      let times: [Double]
      let values: [Double]
    }

    struct Case: Decodable, CustomTestStringConvertible {
      let strategy: String
      let series: String
      let expected: [Double]

      var testDescription: String { strategy + " on " + series }
    }

    let tolerance: Double
    let series: [String: Series]
    let cases: [Case]
  }

  static let golden: Result<Golden, any Error> = Result {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Goldens/smoothing_filters.json")
    return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
  }

  static var cases: [Golden.Case] { (try? golden.get().cases) ?? [] }

  @Test("The file is there and has a case of every filter")
  func fileIsComplete() throws {
    let strategies = try Self.golden.get().cases.map(\.strategy)
    for name in SmoothingChoice.names where name != "none" {
      #expect(strategies.contains { $0.hasPrefix(name + ":") }, "\(name)")
    }
  }

  @Test("Every sample is what the published implementation gives, to 1e-9", arguments: cases)
  func agreesWithPublished(golden: Golden.Case) throws {
    let file = try Self.golden.get()
    let series = try #require(file.series[golden.series])
    let choice = try SmoothingChoice(text: golden.strategy)
    let smoothed = choice.smooth(series.values, times: series.times)
    #expect(smoothed.count == golden.expected.count)
    for (index, pair) in zip(smoothed, golden.expected).enumerated() {
      #expect(abs(pair.0 - pair.1) <= file.tolerance, "sample \(index)")
    }
  }
}
