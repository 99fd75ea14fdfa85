internal import PlankDetection
internal import PoseModel

/// The declared order among cells that are equally good; total, and blind to the grid's order.
///
/// Fewer debounce frames first, since they answer sooner, then a shorter hold, then the smaller
/// value of the first parameter by name that differs, then the detector's and the smoothing's name.
struct PreferenceOrder: Sendable {
  private let grid: StreamGrid

  /// The order of a grid's cells.
  init(_ grid: StreamGrid) { self.grid = grid }

  /// Whether a cell comes before another.
  func prefers(_ left: Int, to right: Int) -> Bool {
    let (a, b) = (rank(left), rank(right))
    for (first, second) in zip(a.values, b.values) where first.key == second.key {
      if first.value != second.value { return first.value < second.value }
    }
    let (keysA, keysB) = (a.values.map(\.key), b.values.map(\.key))
    if keysA != keysB { return keysA.lexicographicallyPrecedes(keysB) }
    return a.names.lexicographicallyPrecedes(b.names)
  }

  private func rank(_ cell: Int) -> (values: [(key: String, value: Double)], names: [String]) {
    let (index, local) = grid.locate(cell)
    let variant = grid.variants[index]
    let digits = variant.digits(of: local)
    let steadying = [
      grid.stream == .plank ? ParameterKey.plankFrames : .formFrames, .holdSeconds,
    ]
    let others = Set(variant.keys).subtracting(steadying)
    let keys = steadying + others.sorted { $0.rawValue < $1.rawValue }
    return (
      values: keys.map { (key: $0.rawValue, value: variant.value(of: $0, at: digits) ?? 0) },
      names: [variant.detectorName, variant.smoothing]
    )
  }
}
