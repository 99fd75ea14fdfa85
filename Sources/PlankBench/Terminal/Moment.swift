internal import ArgumentParser

/// Seconds, or minutes and hours before a colon: `80`, `80.5`, `1:20.5` and `0:01:20.5`; pages and
/// reports print these forms, so that they can be pasted back.
struct Moment: Hashable, Sendable, CustomStringConvertible {
  let seconds: Double

  /// Seconds may be negative.
  ///
  /// Of two or three parts with colons, all but the last are whole, and all but the first are below
  /// 60. Nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, let rest = Self.decimal(last), parts.count <= 3 else { return nil }
    guard parts.count > 1 else {
      seconds = rest
      return
    }
    guard (0..<60).contains(rest), !last.hasPrefix("-") else { return nil }
    var minutes = 0
    for (place, part) in parts.dropLast().enumerated() {
      guard part.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
        let number = Int(part), number < (place == 0 ? 1_000_000 : 60)
      else { return nil }
      minutes = minutes * 60 + number
    }
    seconds = Double(minutes) * 60 + rest
  }

  /// A finite number in decimals; nothing that only a program would write, such as `0x1p3`.
  private static func decimal(_ text: Substring) -> Double? {
    guard text.allSatisfy({ "0123456789.-+eE".contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  var description: String { NumberText.shortest(seconds) }
}

extension Moment: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
