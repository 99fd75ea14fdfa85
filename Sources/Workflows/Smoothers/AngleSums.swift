internal import Evaluation

/// The mean of an angle over frames, and its spread about the mean of its sequence.
struct AngleSums {
  private var count = 0
  private var total = 0.0
  private var deviations = 0.0
  private var sequences = 0

  /// Adds the angles of a sequence.
  mutating func add(_ angles: [Double]) {
    guard angles.count > 1 else { return }
    let mean = angles.reduce(0, +) / Double(angles.count)
    let variance = angles.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(angles.count)
    count += angles.count
    total += mean * Double(angles.count)
    deviations += variance.squareRoot()
    sequences += 1
  }

  /// The numbers for a smoother.
  func bias(_ text: String) -> AngleBias {
    AngleBias(
      text: text,
      mean: count > 0 ? .value(total / Double(count)) : .undefined(.noValidFrame),
      deviation: sequences > 0
        ? .value(deviations / Double(sequences)) : .undefined(.noValidFrame))
  }
}
