/// Where values lie among columns of equal width; one between two tried ones lies in proportion.
struct StepScale: Hashable, Sendable {
  let values: [Double]

  /// Where a value lies: 0 at the first column's start, 1 at the last one's end; nil beyond these.
  func share(_ value: Double) -> Double? {
    guard let position = position(value), !values.isEmpty else { return nil }
    let share = (position + 0.5) / Double(values.count)
    return (0...1).contains(share) ? share : nil
  }

  private func position(_ value: Double) -> Double? {
    guard values.count > 1, value.isFinite else { return values == [value] ? 0 : nil }
    let next = values.firstIndex { $0 >= value } ?? values.count - 1
    let right = min(max(next, 1), values.count - 1)
    let step = values[right] - values[right - 1]
    guard step > 0 else { return nil }
    return Double(right) - (values[right] - value) / step
  }

  /// The positions to label so that at most so many labels stand beside each other.
  func labeled(most: Int) -> [Int] {
    let step = RoundStep(spanning: Double(values.count), most: max(most, 1))
    return Array(stride(from: 0, to: values.count, by: max(1, Int(step.size))))
  }
}
