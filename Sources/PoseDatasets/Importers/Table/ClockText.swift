/// A time as programs and people write it: `7,367`, `7367 ms`, `00:07.367`, `00:00:07:11`,
/// `2026-11-25 10:00:01.123` or `Wed Nov 25 2026 10:00:01 GMT+0100`.
///
/// Reading does not depend on a locale. What the text does not determine stays open: which number
/// in `03/04/2026` is the day, and how many frames a second of `00:00:07:11` has.
struct ClockText: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case number
    /// A number with a unit, such as `7367 ms` or `1m 7.4s`.
    case quantity
    /// A fraction of seconds such as `10780/600`, or a count out of a total such as `12/300`.
    case ratio
    /// `h:mm:ss` or `m:ss`, with or without a fraction: a time since the start, or a time of day.
    case clock
    /// `h:mm:ss:ff`, in which `ff` counts frames.
    case timecode
    case date
  }

  enum DateOrder: String, Hashable, Sendable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
  }

  enum Day: Hashable, Sendable {
    /// Days since January 1, 1970.
    case known(Int)
    case open(Int, Int, year: Int)
  }

  fileprivate(set) var kind: Kind
  /// The number, or the seconds since midnight or the start, without days and frames.
  fileprivate(set) var value: Double
  fileprivate(set) var frames: Int?
  /// Whether a semicolon precedes the frames, which marks a drop-frame timecode.
  fileprivate(set) var dropsFrames = false
  fileprivate(set) var day: Day?
  /// The time zone in seconds ahead of UTC; nil if the text has none.
  fileprivate(set) var zone: Int?

  init?(_ text: some StringProtocol, isDate: Bool = false) {
    var scanner = ClockScanner(text)
    guard let found = scanner.clock(isDate: isDate) else { return nil }
    self = found
  }

  fileprivate init(_ kind: Kind, _ value: Double) { (self.kind, self.value) = (kind, value) }

  /// Returns the seconds since 1970 for a date, in UTC if it has no time zone, or since the start
  /// for other times; nil if something necessary is unknown.
  ///
  /// `unit` is in seconds, and `rate` is the number of frames in a second of `h:mm:ss:ff`.
  func seconds(unit: Double = 1, rate: Double? = nil, order: DateOrder? = nil) -> Double? {
    switch kind {
    case .number: return value * unit
    case .quantity, .ratio, .clock: return value
    case .timecode:
      guard let rate, rate > 0, let frames, Double(frames) < rate.rounded(.up) else { return nil }
      return Timecode(clock: value, frames: frames, dropsFrames: dropsFrames).seconds(rate: rate)
    case .date:
      guard let days = days(order) else { return nil }
      return Double(days) * Self.day + value - Double(zone ?? 0)
    }
  }

  static func seconds(
    _ text: String, unit: Double = 1, rate: Double? = nil, order: DateOrder? = nil
  ) -> Double? { ClockText(text)?.seconds(unit: unit, rate: rate, order: order) }

  /// Returns the days since 1970; nil if the order matters and is not given, or if there is no such
  /// date.
  func days(_ order: DateOrder? = nil) -> Int? {
    guard case .open(let first, let second, let year)? = day else {
      if case .known(let days)? = day { return days }
      return nil
    }
    let dayFirst = Self.days(year: year, month: second, day: first)
    let monthFirst = Self.days(year: year, month: first, day: second)
    switch order {
    case .dayFirst: return dayFirst
    case .monthFirst: return monthFirst
    case nil:
      if dayFirst == nil || first == second { return monthFirst }
      return monthFirst == nil ? dayFirst : nil
    }
  }

  static let day = 86_400.0

  /// Returns the days from January 1, 1970 to a Gregorian date; nil if there is no such date.
  static func days(year: Int, month: Int, day: Int) -> Int? {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400
    return before * 365 + leapDays + lengths.prefix(month - 1).reduce(0, +) + day - 719_163
  }
}

/// A timecode `hh:mm:ss:ff`, whose seconds have a whole number of frames.
///
/// At 29.97 Hz, a second of timecode is 30 frames and lasts 1.001 s.
struct Timecode: Hashable, Sendable {
  let clock: Double
  let frames: Int
  /// Whether frame numbers are skipped so that the timecode keeps up with the time of day.
  ///
  /// In 9 of 10 minutes, two numbers are skipped (four at 59.94 Hz).
  let dropsFrames: Bool

  func seconds(rate: Double) -> Double {
    let counted = rate.rounded(.up)
    guard counted != rate else { return clock + Double(frames) / rate }
    let minutes = (clock / 60).rounded(.down)
    let skipped =
      dropsFrames ? (counted / 15).rounded() * (minutes - (minutes / 10).rounded(.down)) : 0
    return (clock * counted + Double(frames) - skipped) / rate
  }
}

private struct ClockScanner {
  private enum Token: Equatable {
    case digits(String)
    case word(String)
    case mark(Unicode.Scalar)
  }

  private let text: Substring
  private var tokens: ArraySlice<Token> = []

  private static let longest = 80
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let units: [String: Double] = [
    "ns": 1e-9, "nsec": 1e-9, "nanoseconds": 1e-9, "us": 1e-6, "µs": 1e-6, "usec": 1e-6,
    "microseconds": 1e-6, "ms": 1e-3, "msec": 1e-3, "msecs": 1e-3, "millis": 1e-3,
    "milliseconds": 1e-3, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60,
    "min": 60, "mins": 60, "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600,
    "hours": 3600,
  ]
  /// Time zones in hours ahead of UTC, without ambiguous names.
  private static let zones: [String: Int] = [
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
    "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
  ]

  init(_ text: some StringProtocol) {
    self.text = Substring(
      Substring(text).unicodeScalars.prefix(Self.longest + 1).trimmed {
        $0.properties.isWhitespace || $0 == "\"" || $0 == "'"
      })
  }

  mutating func clock(isDate: Bool) -> ClockText? {
    guard !text.isEmpty, text.unicodeScalars.count <= Self.longest else { return nil }
    if isDate {
      tokens = Self.tokens(of: text)
      if let date = date() { return date }
    }
    if let number = Double(decimal: text)
      ?? (text.contains(".") ? nil : CSVRows.withPoint(text)).flatMap({ Double(decimal: $0) })
    {
      return number.isFinite ? ClockText(.number, number) : nil
    }
    guard text.utf8.contains(where: { (48...57).contains($0) }) else { return nil }
    tokens = Self.tokens(of: text)
    return first({ $0.quantity() }, { $0.ratio() }, { $0.date() }, { $0.timeAlone() })
  }

  private static func tokens(of text: Substring) -> ArraySlice<Token> {
    let isDigit: (Unicode.Scalar) -> Bool = { ("0"..."9").contains($0) }
    var tokens: [Token] = []
    var rest = text.unicodeScalars
    while let first = rest.first {
      if isDigit(first) {
        let digits = rest.prefix(while: isDigit)
        tokens.append(.digits(String(digits)))
        rest = rest[digits.endIndex...]
      } else if first.properties.isAlphabetic {
        let word = rest.prefix(while: \.properties.isAlphabetic)
        tokens.append(.word(String(word).lowercased()))
        rest = rest[word.endIndex...]
      } else if first == "(" {
        // JavaScript's dates end with the zone's name in parentheses.
        rest = rest.drop { $0 != ")" }.dropFirst()
      } else {
        let mark = first.properties.isWhitespace ? " " : first == "\u{2212}" ? "-" : first
        if mark != " " || tokens.last != .mark(" ") { tokens.append(.mark(mark)) }
        rest = rest.dropFirst()
      }
    }
    if tokens.last == .mark(" ") { tokens.removeLast() }
    return tokens[...]
  }

  private mutating func first(_ readings: (inout ClockScanner) -> ClockText?...) -> ClockText? {
    let start = tokens
    for reading in readings {
      if let found = reading(&self) { return found }
      tokens = start
    }
    return nil
  }

  private mutating func take(_ marks: String) -> Bool {
    guard case .mark(let mark)? = tokens.first, marks.unicodeScalars.contains(mark) else {
      return false
    }
    tokens.removeFirst()
    return true
  }

  private mutating func skip(_ marks: String) { while take(marks) {} }

  private mutating func takeWord(_ words: String...) -> Bool {
    guard case .word(let word)? = tokens.first, words.contains(word) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func index(in names: [String]) -> Int? {
    guard case .word(let word)? = tokens.first,
      let index = names.firstIndex(of: String(word.prefix(3)))
    else { return nil }
    tokens.removeFirst()
    return index
  }

  private var nextDigits: String? {
    if case .digits(let digits)? = tokens.first { digits } else { nil }
  }

  private mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    guard let digits = nextDigits, counts.contains(digits.count) else { return nil }
    tokens.removeFirst()
    return Int(digits)
  }

  private mutating func fraction(after marks: String = ".,") -> Double {
    guard case .mark(let mark)? = tokens.first, marks.unicodeScalars.contains(mark),
      case .digits(let digits)? = tokens.dropFirst().first,
      mark != "-" || digits.count.isMultiple(of: 3)
    else { return 0 }
    tokens = tokens.dropFirst(2)
    return Double("0." + digits) ?? 0
  }

  private mutating func quantity() -> ClockText? {
    let sign = take("-") ? -1.0 : 1
    _ = takeWord("p", "pt")
    var sum = 0.0
    while let whole = digits(1...18) {
      let number = Double(whole) + fraction()
      skip(" ")
      guard case .word(let word)? = tokens.popFirst(), let unit = Self.units[word] else {
        return nil
      }
      skip(" ,")
      sum += number * unit
      if tokens.isEmpty { return ClockText(.quantity, sign * sum) }
    }
    return nil
  }

  /// Reads `10780/600`, Final Cut's `10780/600s`, or `{10780/600 = 17.967}` of `CMTimeShow`.
  private mutating func ratio() -> ClockText? {
    _ = take("{")
    guard let parts = digits(1...18), take("/"), let scale = digits(1...10), scale > 0 else {
      return nil
    }
    _ = takeWord("s")
    skip(" ")
    guard tokens.isEmpty || take("=") else { return nil }
    return ClockText(.ratio, Double(parts) / Double(scale))
  }

  private mutating func timeAlone() -> ClockText? {
    _ = takeWord("t")
    var days = 0
    // Python writes durations as `0 days 00:00:07.367`.
    if case .word(let word)? = tokens.dropFirst(2).first, word == "day" || word == "days" {
      guard let count = digits(1...5) else { return nil }
      days = count
      tokens = tokens.dropFirst(2)
      skip(" ,")
    }
    guard var found = time(isAlone: true), tokens.isEmpty else { return nil }
    found.value += Double(days) * ClockText.day
    return found
  }

  /// Reads `h:mm` or `h:mm:ss` with an optional fraction or frame number; alone, `m:ss`.
  private mutating func time(isAlone: Bool) -> ClockText? {
    // Premiere Pro writes drop-frame timecodes as `00;00;07;11`.
    let colons = tokens.count { $0 == .mark(";") } == 3 ? ";" : ":"
    guard let first = digits(1...(isAlone ? 4 : 2)), take(colons), let second = digits(1...2),
      second < 60
    else { return nil }
    var found = ClockText(.clock, Double(first * 60 + second))
    if take(colons) {
      guard let third = digits(1...2), third <= 60 else { return nil }
      found.value = found.value * 60 + Double(third)
      found.dropsFrames = tokens.first == .mark(";")
      if take(":;") {
        guard let last = nextDigits, let number = digits(1...9) else { return nil }
        // A frame number has one or two digits, so three, six or nine digits are a fraction.
        if last.count >= 3 {
          found.value += Double("0." + last) ?? 0
        } else {
          (found.kind, found.frames) = (.timecode, number)
        }
      } else {
        found.value += fraction()
      }
    } else if isAlone {
      found.value += fraction()
    } else {
      found.value *= 60
    }
    return halfOfDay(&found, hour: first) ? found : nil
  }

  private mutating func halfOfDay(_ found: inout ClockText, hour: Int) -> Bool {
    let start = tokens
    skip(" ")
    let isAfternoon = takeWord("pm")
    guard isAfternoon || takeWord("am") else {
      tokens = start
      return true
    }
    guard (1...12).contains(hour) else { return false }
    found.value += isAfternoon ? 43_200 : 0
    found.value -= hour == 12 ? 43_200 : 0
    return true
  }

  private mutating func date() -> ClockText? {
    skipName()
    if index(in: Self.weekdays) != nil { skip(" ,.") }
    guard var found = first({ $0.packed() }, { $0.monthThenDay() }, { $0.numbered() }),
      tokens.isEmpty || zone(&found), tokens.isEmpty,
      found.days(.dayFirst) ?? found.days(.monthFirst) != nil
    else { return nil }
    return found
  }

  /// Skips what surrounds a date in the name of a file, such as `IMG_20260501_235956_066.jpg`.
  ///
  /// The date must include parts of a second; otherwise, the last digits may be a picture's number.
  private mutating func skipName() {
    let digits = tokens.reduce(0) { if case .digits(let own) = $1 { $0 + own.count } else { $0 } }
    guard digits >= 17 else { return }
    if case .word? = tokens.first, [.mark("_"), .mark("-")].contains(tokens.dropFirst().first),
      case .digits(let year)? = tokens.dropFirst(2).first, year.hasPrefix("20")
    {
      tokens = tokens.dropFirst(2)
    }
    if case .word? = tokens.last, tokens.dropLast().last == .mark(".") {
      tokens = tokens.dropLast(2)
    }
  }

  private func date(_ day: ClockText.Day?, _ time: ClockText?) -> ClockText? {
    guard let day, let time, time.kind == .clock, time.value < ClockText.day + 1 else { return nil }
    var found = time
    (found.kind, found.day) = (.date, day)
    return found
  }

  private func day(_ year: Int, _ month: Int, _ day: Int) -> ClockText.Day? {
    guard year > 31 else { return nil }
    return ClockText.days(year: year, month: month, day: day).map { .known($0) }
  }

  private mutating func timeOfDay() -> ClockText? {
    skip(" ,_-:")
    if takeWord("t", "at", "kl") { skip(" ") }
    return first({ $0.time(isAlone: false) }, { $0.spacedTime() })
  }

  /// Reads `10-00-01.123`, `10.00.01`, `100001.123`, `100001_123` or `100001123`.
  private mutating func spacedTime() -> ClockText? {
    if let text = nextDigits, text.count >= 6 {
      let (hour, minute) = (text.prefix(2), text.dropFirst(2).prefix(2))
      let (second, rest) = (text.dropFirst(4).prefix(2), text.dropFirst(6))
      let parts = [hour, minute, second, rest].filter { !$0.isEmpty }
      tokens =
        parts.map { [Token.digits(String($0))] }.joined(separator: [.mark(".")])
        + tokens.dropFirst()
    }
    guard let hour = digits(1...2), hour < 24, take("-._"), let minute = digits(1...2),
      minute < 60, take("-._"), let second = digits(1...2), second <= 60
    else { return nil }
    return ClockText(.clock, Double((hour * 60 + minute) * 60 + second) + fraction(after: "._,-"))
  }

  /// Reads `20261125T100001`, `20261125 10:00:01` or `20261125100001123`.
  private mutating func packed() -> ClockText? {
    guard let text = nextDigits, [8, 14, 17].contains(text.count),
      let year = Int(text.prefix(4)), (1900...2199).contains(year),
      let month = Int(text.dropFirst(4).prefix(2)), let number = Int(text.dropFirst(6).prefix(2))
    else { return nil }
    tokens.removeFirst()
    if text.count > 8 { tokens = [.digits(String(text.dropFirst(8)))] + tokens }
    return date(day(year, month, number), timeOfDay())
  }

  /// Reads dates such as `Nov 25 10:00:01 2026`, `Nov 25, 2026 10:00:01`, `25 Nov 2026 10:00:01`
  /// and `25/Nov/2026:10:00`.
  private mutating func monthThenDay() -> ClockText? {
    var number = digits(1...2)
    skip(" -/.")
    guard let month = index(in: Self.months) else { return nil }
    skip(" -/.,")
    if number == nil {
      number = digits(1...2)
      skip(" ,")
    }
    guard let number else { return nil }
    if let year = digits(4...4) { return date(day(year, month + 1, number), timeOfDay()) }
    let time = time(isAlone: false)
    skip(" ")
    return digits(4...4).flatMap { date(day($0, month + 1, number), time) }
  }

  private mutating func numbered() -> ClockText? {
    guard let first = digits(1...4), case .mark(let mark)? = tokens.first,
      take("-/._"), let second = digits(1...2), take(String(mark)), let third = digits(1...4)
    else { return nil }
    let time = timeOfDay()
    if first > 31 { return date(day(first, second, third), time) }
    let year = third < 100 ? 2000 + third : third
    // In dates with points, the day comes before the month.
    return mark == "."
      ? date(day(year, second, first), time) : date(.open(first, second, year: year), time)
  }

  private mutating func zone(_ found: inout ClockText) -> Bool {
    skip(" ")
    if case .word(let word)? = tokens.first {
      guard let hours = Self.zones[word] else { return false }
      tokens.removeFirst()
      found.zone = hours * 3600
      skip(" ")
    }
    if tokens.isEmpty { return true }
    let isBehind = take("-")
    guard isBehind || take("+"), let text = nextDigits, let number = digits(1...4) else {
      return false
    }
    var minutes = text.count > 2 ? number / 100 * 60 + number % 100 : number * 60
    if text.count <= 2, take(":") {
      guard let more = digits(2...2) else { return false }
      minutes += more
    }
    guard minutes <= 14 * 60 else { return false }
    found.zone = (found.zone ?? 0) + (isBehind ? -60 : 60) * minutes
    skip(" ")
    return true
  }
}
