import Foundation

/// How many random cases a property test draws: a fifth by default, all of them where
/// `PLANKLAB_DRAWS=all`, as in `make prove`; the first cases are the same in both.
public enum Draws {
  private static let areAll = ProcessInfo.processInfo.environment["PLANKLAB_DRAWS"] == "all"

  /// The seeds from 0 to below a number of cases.
  public static func seeds<Seed: FixedWidthInteger>(_ all: Seed) -> Range<Seed> {
    0..<(areAll ? all : Swift.max(1, all / 5))
  }
}
