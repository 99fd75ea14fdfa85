extension GateFinding {
  /// Checks the demands that need no uncertainty: bounds and the largest drop.
  mutating func checkBounds() {
    guard let value else { return }
    if let bound = rule.atLeast {
      let isMet = value >= bound - Self.tolerance
      note(isMet ? .pass : .regressed, "\(isMet ? "at least" : "below the least value") \(bound)")
    }
    if let bound = rule.atMost {
      let isMet = value <= bound + Self.tolerance
      note(isMet ? .pass : .regressed, "\(isMet ? "at most" : "above the greatest value") \(bound)")
    }
    guard let largest = rule.largestDrop else { return }
    guard let difference else {
      note(.notComparable, Self.noBaseline)
      return
    }
    let drop = rule.higherIsBetter ? -difference : difference
    let isMet = drop <= largest + Self.tolerance
    note(
      isMet ? .pass : .regressed,
      isMet ? "no more than \(largest) worse" : "over \(largest) worse than the baseline")
  }

  /// Why a rule that looks at the baseline cannot.
  static let noBaseline = "no baseline to compare with; `planklab baseline update` writes one"

  /// What rounding may differ by between machines.
  static let tolerance = 1e-9
}
