import Evaluation
import Foundation
import PoseModel
import Testing

/// Values that scikit-learn computed; `scripts/oracles` says how.
@Suite("Classification metrics goldens")
struct ClassificationMetricsGoldenTests {
  /// The committed file.
  struct Golden: Decodable {
    /// One matrix with its metrics.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
      let name: String
      let labels: [String]
      let confusion: [[Double]]
      let weighted: Bool
      let expected: Expected

      var testDescription: String { name }
    }

    /// Values by name; nil is undefined.
    struct Expected: Decodable, Sendable {
      let overall: [String: Double?]
      let perClass: [String: [String: Double?]]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var overall: [String: Double?] = [:]
        var perClass: [String: [String: Double?]] = [:]
        for key in container.allKeys {
          if ["precision", "recall", "f1"].contains(key.stringValue) {
            perClass[key.stringValue] = try container.decode([String: Double?].self, forKey: key)
          } else {
            overall[key.stringValue] = .some(
              try container.decodeIfPresent(Double.self, forKey: key))
          }
        }
        self.overall = overall
        self.perClass = perClass
      }
    }

    /// Any key.
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }

    let cases: [Case]
  }

  static let golden: Result<Golden, any Error> = Result {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/classification_metrics.json")
    return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
  }

  static var cases: [Golden.Case] { (try? golden.get().cases) ?? [] }

  @Test("The file is there and has cases of both streams, in frames and in seconds")
  func fileIsComplete() throws {
    let cases = try Self.golden.get().cases
    #expect(cases.count >= 100)
    for stream in AnswerStream.allCases {
      let own = cases.filter { $0.labels == stream.labels }
      #expect(own.contains { $0.weighted } && own.contains { !$0.weighted })
    }
  }

  @Test("Every metric is what scikit-learn says", arguments: cases)
  func agreesWithScikitLearn(golden: Golden.Case) throws {
    let metrics = MatrixMetrics(
      ConfusionMatrix(labels: golden.labels, rows: golden.confusion))
    #expect(golden.expected.overall.count == metrics.overall.count)
    for result in metrics.overall {
      let expected = try #require(golden.expected.overall[result.metric.name])
      #expect(isNear(result.value, expected), "\(result.metric.name)")
    }
    for result in metrics.byClass {
      let label = try #require(result.label)
      let values = try #require(golden.expected.perClass[result.metric.name])
      let expected = try #require(values[label])
      #expect(isNear(result.value, expected), "\(result.metric.name)[\(label)]")
    }
  }
}
