import Statistics

/// Choices of a studio that are balanced over its sessions and yet made for each alone.
///
/// Sessions are cut into blocks as long as the list of choices, and each block has its own random
/// order (randomized blocks; Fisher 1925): every choice occurs once a block, and two factors are
/// never coupled.
struct StudioChoices {
  private let seed: UInt64
  private let index: Int

  init(seed: UInt64, index: Int) {
    self.seed = seed
    self.index = index
  }

  /// The session's choice among some.
  ///
  /// - Precondition: there is at least one.
  func choice<Value>(of values: [Value], for factor: String) -> Value {
    let block = index / values.count
    let stream = RandomStream(seed: seed, purpose: "studio.\(factor).\(block)")
    return values[stream.permutation(of: values.count)[index % values.count]]
  }
}
