internal import FoundationEssentials
internal import ParameterTuning

/// The ids of runs: when a run began, and what it is of, in a few characters.
///
/// `20260301T174502Z-5f0c9a1e` began at 17:45:02 UTC; the last part is a hash of its identity, so
/// that runs of one identity end alike. Ids sort by time.
enum RunName {
  /// The id of a run; a number is added where runs of the same identity began in the same second.
  static func make(_ plan: RunPlan, at time: Date, isTaken: (String) throws -> Bool) rethrows
    -> String
  {
    let moment = text(of: time).filter { $0 != "-" && $0 != ":" }
    let hash = String(fingerprint(plan), radix: 16)
    let name = moment + "-" + String(repeating: "0", count: 8 - hash.count) + hash
    var number = 1
    var candidate = name
    while try isTaken(candidate) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  /// A moment in UTC to the second: `2026-03-01T17:45:02Z`.
  static func text(of time: Date) -> String { time.formatted(.iso8601) }

  /// The moment of a text that `text(of:)` made.
  static func time(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

  /// FNV-1a over the identity, folded to 32 bits; it names, it does not protect.
  private static func fingerprint(_ plan: RunPlan) -> UInt32 {
    let identity = plan.identity
    let parts =
      [
        identity.experiment, identity.dataset.text, identity.program, "\(identity.seed)",
        "\(identity.shard.index)/\(identity.shard.count)",
      ] + plan.gridLines
    let hash = parts.joined(separator: "\n").utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
