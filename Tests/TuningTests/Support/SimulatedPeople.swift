import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

/// People who hold, sag and pike, measured with a bias of their own and one of their source.
///
/// Sagging hips hang 6 cm low and piking ones stand 6 cm high. What the threshold must cope with is
/// that everybody is shifted: by the person, and by where the recording was made.
struct SimulatedPeople {
  /// How much people differ, as a standard deviation in meters.
  let personBias: Double
  /// How much sources differ, as a standard deviation in meters.
  let sourceBias: Double
  /// How much frames differ, as a standard deviation in meters.
  let noise = 0.02
  private static let segmentFrames = 20
  private static let segments = 6
  private var random: SplitMix64

  init(seed: Int, personBias: Double, sourceBias: Double = 0) {
    random = SplitMix64(spread: seed)
    self.personBias = personBias
    self.sourceBias = sourceBias
  }

  /// Draws sources, people in them and recordings of those.
  ///
  /// - Parameter isGrouped: whether recordings tell who was recorded.
  mutating func sequences(
    sources: Int = 1, people: Int, recordings: Int, isGrouped: Bool = true
  ) throws -> [MeasuredSequence] {
    var sequences: [MeasuredSequence] = []
    for source in 0..<sources {
      let shift = sourceBias * normal()
      for person in 0..<people {
        let bias = shift + personBias * normal()
        for recording in 0..<recordings {
          let name = "\(source)/p\(person)"
          sequences.append(
            try sequence(
              "\(name)/\(recording)", subject: isGrouped ? name : nil,
              source: sources > 1 ? "\(source)" : nil, bias))
        }
      }
    }
    return sequences
  }

  private mutating func sequence(
    _ name: String, subject: String?, source: String?, _ bias: Double
  ) throws -> MeasuredSequence {
    let length = Double(Self.segmentFrames) / 30
    let forms = random.shuffled(FormClass.allCases + FormClass.allCases)
    let labels = forms.enumerated().map { index, form in
      LabeledSegment(Double(index) * length, Double(index + 1) * length, .high, form)
    }
    let column = forms.flatMap { form in
      let offset = form == .sag ? -0.06 : form == .pike ? 0.06 : 0
      return (0..<Self.segmentFrames).map { _ in Float(offset + bias + noise * normal()) }
    }
    return try MeasuredSequence(
      name, subject: subject, source: source, labels: labels, [.hipDeviation: column])
  }

  /// A standard normal number, near enough: the sum of twelve uniform ones.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + random.uniform() }
  }
}
