/// What a gate says; later cases beat earlier ones.
package enum GateVerdict: String, CaseIterable, Hashable, Sendable, Comparable {
  /// Better than the baseline, beyond doubt.
  case improved
  /// As good as demanded.
  case pass
  /// The data cannot tell.
  case inconclusive
  /// Worse than demanded.
  case regressed
  /// There is nothing to judge by.
  case notComparable = "not comparable"

  /// Whether the left verdict is beaten by the right one.
  package static func < (left: GateVerdict, right: GateVerdict) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
