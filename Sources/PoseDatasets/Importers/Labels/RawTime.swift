/// A time of a label whose unit the text may leave open.
enum RawTime: Hashable, Sendable {
  case number(Double)
  case seconds(Double)
  case timecode(Timecode)

  private static let longest = 40
  private static let largest = 1e15
  /// The words that a time may contain.
  ///
  /// Others are left out because `2 min` may be a label, and `1:00 PM` is not a time since the
  /// start.
  private static let words: Set = ["", "ms", "s", "sec", "day", "days"]

  init?(_ text: some StringProtocol, hasFreeCommas: Bool = true) {
    guard text.utf8.count <= Self.longest,
      let first = text.utf8.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }),
      "0123456789.,+-".utf8.contains(first),
      !text.utf8.contains(where: { "\"'".utf8.contains($0) }),
      hasFreeCommas || !Self.mayBeThousands(text), let clock = ClockText(text),
      clock.value.magnitude < Self.largest,
      clock.kind == .number || Self.words.contains(String(text.filter(\.isLetter)))
    else { return nil }
    switch clock.kind {
    case .number: self = .number(clock.value)
    case .quantity, .clock: self = .seconds(roundedToMicroseconds(clock.value))
    case .timecode:
      self = .timecode(
        Timecode(clock: clock.value, frames: clock.frames ?? 0, dropsFrames: clock.dropsFrames))
    case .ratio, .date: return nil
    }
  }

  private static func mayBeThousands(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), !bytes.contains(UInt8(ascii: ":"))
    else { return false }
    return bytes[comma...].dropFirst().prefix { (48...57).contains($0) }.count == 3
  }

  /// Returns the sum of two times, or nil if their units may differ.
  func adding(_ other: RawTime) -> RawTime? {
    switch (self, other) {
    case (.number(let one), .number(let other)): .number(roundedToMicroseconds(one + other))
    case (.seconds(let one), .seconds(let other)): .seconds(roundedToMicroseconds(one + other))
    default: nil
    }
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var frames: Int? { if case .timecode(let timecode) = self { timecode.frames } else { nil } }

  /// A number for the case; only times with the same number can be ordered by `rank`.
  var kind: Int {
    switch self {
    case .number: 0
    case .seconds: 1
    case .timecode: 2
    }
  }

  var rank: Double {
    switch self {
    case .number(let value), .seconds(let value): value
    case .timecode(let timecode): timecode.clock + Double(timecode.frames) / 1000
    }
  }
}
