package import PoseModel

package struct FilterParameters: ScriptParameters {
  /// Lowest cutoff; 0 switches the filter off.
  package var cutoff = Hertz(0)
  /// Growth of the cutoff with speed, in hertz per body height per second.
  package var slope = 40.0
  package var speedCutoff = Hertz(1)

  package init() {}

  package static let section = "filter"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "cutoff_hz", "Hz", 0...30, \.cutoff.value,
      "lowest cutoff of a one-euro filter on joints; 0 is none (Casiez 2012; MediaPipe: 0.1)"),
    ScriptField(
      "slope", "", 0...200, \.slope, "growth of the cutoff with speed in body heights/s"),
    ScriptField("speed_cutoff_hz", "Hz", 0.1...30, \.speedCutoff.value, "cutoff of that speed"),
  ]
}

/// A one-euro filter on every coordinate of every joint; it forgets at gaps over half a second.
///
/// Source: Casiez, Roussel and Vogel 2012, doi 10.1145/2207676.2208639.
struct LandmarkFilter {
  private let parameters: FilterParameters
  private let height: Double
  private var last: JointPositions?
  private var speeds = Array(repeating: Vector3.zero, count: JointPositions.count)
  private var pause = 0.0

  init(_ parameters: FilterParameters, height: Meters) {
    self.parameters = parameters
    self.height = height.value
  }

  mutating func skip(_ step: Double) { pause += step }

  mutating func apply(to joints: inout JointPositions, step: Double) {
    guard parameters.cutoff.value > 0 else { return }
    let step = step + pause
    pause = 0
    defer { last = joints }
    guard let last, step > 0, step <= 0.5 else {
      speeds = Array(repeating: .zero, count: JointPositions.count)
      return
    }
    let speedShare = Self.share(parameters.speedCutoff.value, step)
    for index in joints.values.indices {
      let before = last.values[index]
      let speed = (joints.values[index] - before) / step
      speeds[index] = speeds[index] + (speed - speeds[index]) * speedShare
      let way = joints.values[index] - before
      joints.values[index] = Vector3(
        before.x + way.x * share(speeds[index].x, step),
        before.y + way.y * share(speeds[index].y, step),
        before.z + way.z * share(speeds[index].z, step))
    }
  }

  private func share(_ speed: Double, _ step: Double) -> Double {
    let cutoff = parameters.cutoff.value + parameters.slope * speed.magnitude / height
    return Self.share(cutoff, step)
  }

  /// The weight of the new value: 1 / (1 + tau / step) with tau = 1 / (2 pi cutoff).
  private static func share(_ cutoff: Double, _ step: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * step))
  }
}
