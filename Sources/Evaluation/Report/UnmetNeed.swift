package import PoseModel

/// A frame without a joint is undetermined for the whole list of rules, so such a recording says
/// nothing about them; a missing height has a stand-in.
package struct UnmetNeed: Codable, Hashable, Sendable {
  package enum Fact: String, Codable, CaseIterable, Hashable, Sendable {
    case pose
    case bodyHeight = "body_height_m"
    case joint
  }

  package let fact: Fact
  package let joint: String?
  package let measurements: [String]
  package let rules: Int
  package var recordings: Int
  package let assumed: Meters?

  private enum CodingKeys: String, CodingKey {
    case fact, joint, measurements, rules, recordings
    case assumed = "assumed_m"
  }

  package init(
    _ fact: Fact, joint: String? = nil, of measurements: [String] = [], rules: Int, recordings: Int
  ) {
    self.fact = fact
    self.joint = joint
    self.measurements = measurements
    assumed = fact == .bodyHeight ? HeightEstimation.referenceHeight : nil
    self.rules = rules
    self.recordings = recordings
  }

  package static func sum(_ parts: [[UnmetNeed]]) -> [UnmetNeed] {
    var found: [UnmetNeed] = []
    for need in parts.joined() {
      if let index = found.firstIndex(where: { $0.fact == need.fact && $0.joint == need.joint }) {
        found[index].recordings += need.recordings
      } else {
        found.append(need)
      }
    }
    return found
  }
}
