/// A time as programs and people write it: `7,367`, `7367 ms`, `00:07.367`, `00:00:07:11`,
/// `2026-11-25 10:00:01.123`, `Wed Nov 25 2026 10:00:01 GMT+0100`.
///
/// Read without a locale. What a text leaves open stays open: which number of `03/04/2026` is the
/// day, and how many frames the second of `00:00:07:11` has.
struct ClockText: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A number without a unit.
    case number
    /// A number with its unit, such as `7367 ms` or `1m 7.4s`.
    case quantity
    /// `h:mm:ss` or `m:ss`, with or without a fraction: since a start, or of a day.
    case clock
    /// `h:mm:ss:ff`, whose last number counts frames.
    case timecode
    case date
  }

  enum DateOrder: String, Hashable, Sendable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
  }

  enum Day: Hashable, Sendable {
    /// In days since 1970.
    case known(Int)
    /// The first two numbers are day and month, in an order that no other number shows.
    case open(Int, Int, year: Int)
  }

  fileprivate(set) var kind: Kind
  /// The number, or the seconds of the day or since the start, without days and frames.
  fileprivate(set) var value: Double
  fileprivate(set) var frames: Int?
  fileprivate(set) var day: Day?
  /// Seconds that the zone is ahead of UTC; nil where none is written.
  fileprivate(set) var zone: Int?

  /// - Parameter isDate: Whether 14 or 17 digits are a date (`20261125100001123`), not a number.
  init?(_ text: String, isDate: Bool = false) {
    var scanner = ClockScanner(text)
    guard let found = scanner.clock(isDate: isDate) else { return nil }
    self = found
  }

  fileprivate init(_ kind: Kind, _ value: Double) { (self.kind, self.value) = (kind, value) }

  /// Seconds since 1970 for a date (in its own zone where it names none), else since the start.
  ///
  /// - Parameters:
  ///   - unit: What numbers without a unit count, in seconds.
  ///   - rate: How many frames a second of `h:mm:ss:ff` has.
  /// - Returns: Nil where the text leaves open what the parameters do not say.
  func seconds(unit: Double = 1, rate: Double? = nil, order: DateOrder? = nil) -> Double? {
    switch kind {
    case .number: return value * unit
    case .quantity, .clock: return value
    case .timecode:
      guard let rate, rate > 0, let frames, Double(frames) < rate.rounded(.up) else { return nil }
      return value + Double(frames) / rate
    case .date:
      guard let days = days(order) else { return nil }
      return Double(days) * Self.day + value - Double(zone ?? 0)
    }
  }

  static func seconds(
    _ text: String, unit: Double = 1, rate: Double? = nil, order: DateOrder? = nil
  ) -> Double? {
    ClockText(text)?.seconds(unit: unit, rate: rate, order: order)
  }

  /// Days since 1970; nil where both orders are possible and none is given, and where the order
  /// that is given gives no day.
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

  /// Days from 1970 to a date of the Gregorian calendar; nil if there is no such date.
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

private struct ClockScanner {
  private enum Token: Equatable {
    case digits(String)
    case word(String)
    case mark(Character)
  }

  private let text: String
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
  /// Hours ahead of UTC; names with several meanings are left out.
  private static let zones: [String: Int] = [
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
    "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
  ]

  init(_ text: String) {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0 == "\"" || $0 == "'" }
    var rest = text.prefix(Self.longest + 1)[...].drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    self.text = String(rest)
  }

  mutating func clock(isDate: Bool) -> ClockText? {
    guard !text.isEmpty, text.count <= Self.longest else { return nil }
    if isDate {
      tokens = Self.tokens(of: text)[...]
      if let date = date() { return date }
    }
    if let number = number(text) { return ClockText(.number, number) }
    guard text.contains(where: { $0.isASCII && $0.isNumber }) else { return nil }
    tokens = Self.tokens(of: text)[...]
    return quantity() ?? date() ?? timeAlone()
  }

  /// With a point or a comma, but not with both.
  private func number(_ text: some StringProtocol) -> Double? {
    if let number = Double(decimal: text) { return number.isFinite ? number : nil }
    guard text.count(where: { $0 == "," }) == 1, !text.contains("."), text.last != "," else {
      return nil
    }
    return Double(decimal: String(text.map { $0 == "," ? "." : $0 }))
  }

  private static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isASCII, first.isNumber {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        tokens.append(.digits(String(digits)))
        rest = rest[digits.endIndex...]
      } else if first.isLetter {
        let word = rest.prefix(while: \.isLetter)
        tokens.append(.word(word.lowercased()))
        rest = rest[word.endIndex...]
      } else if first == "(" {
        // The name of a zone, as JavaScript writes it.
        rest = rest.drop { $0 != ")" }.dropFirst()
      } else {
        // Blanks and marks for minus other than the hyphen count as one of each.
        let mark: Character = first.isWhitespace ? " " : first == "\u{2212}" ? "-" : first
        if mark != " " || tokens.last != .mark(" ") { tokens.append(.mark(mark)) }
        rest = rest.dropFirst()
      }
    }
    if tokens.last == .mark(" ") { tokens.removeLast() }
    return tokens
  }

  private mutating func take(_ mark: Character) -> Bool {
    guard tokens.first == .mark(mark) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func skip(_ marks: String) {
    while case .mark(let mark)? = tokens.first, marks.contains(mark) { tokens.removeFirst() }
  }

  private mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    guard case .digits(let digits)? = tokens.first, counts.contains(digits.count) else {
      return nil
    }
    tokens.removeFirst()
    return Int(digits)
  }

  private mutating func word(_ words: [String], prefix count: Int) -> Int? {
    guard case .word(let word)? = tokens.first, word.count >= count,
      let index = words.firstIndex(of: String(word.prefix(count)))
    else { return nil }
    tokens.removeFirst()
    return index
  }

  private mutating func fraction() -> Double {
    guard case .mark(let mark)? = tokens.first, mark == "." || mark == ",",
      case .digits(let digits)? = tokens.dropFirst().first
    else { return 0 }
    tokens = tokens.dropFirst(2)
    return Double("0." + digits) ?? 0
  }
}

// Numbers with units, and times without a date.
extension ClockScanner {
  private mutating func quantity() -> ClockText? {
    let start = tokens
    var sum = 0.0
    var count = 0
    if case .word(let word)? = tokens.first, word == "p" || word == "pt" { tokens.removeFirst() }
    while let whole = digits(1...18) {
      let number = Double(whole) + fraction()
      skip(" ")
      guard case .word(let word)? = tokens.first, let unit = Self.units[word] else { break }
      tokens.removeFirst()
      skip(" ,")
      sum += number * unit
      count += 1
      if tokens.isEmpty { return ClockText(.quantity, sum) }
    }
    tokens = start
    return nil
  }

  private mutating func timeAlone() -> ClockText? {
    if case .word("t")? = tokens.first { tokens.removeFirst() }
    var days = 0
    // `0 days 00:00:07.367`, as Python writes durations.
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

  /// `h:mm`, `h:mm:ss`, with a fraction or a fourth number; alone, two numbers are `m:ss`.
  private mutating func time(isAlone: Bool) -> ClockText? {
    guard let first = digits(1...(isAlone ? 4 : 2)), take(":"), let second = digits(1...2),
      second < 60
    else { return nil }
    var found: ClockText
    if take(":") {
      guard let third = digits(1...2), third <= 60 else { return nil }
      found = ClockText(.clock, Double(first * 3600 + second * 60 + third))
      if tokens.first == .mark(":") || tokens.first == .mark(";") {
        tokens.removeFirst()
        guard case .digits(let last)? = tokens.first, let number = Int(last), last.count <= 9 else {
          return nil
        }
        tokens.removeFirst()
        // Three, six or nine digits are a fraction: no camera has a hundred frames.
        if last.count >= 3 {
          found.value += Double("0." + last) ?? 0
        } else {
          (found.kind, found.frames) = (.timecode, number)
        }
      } else {
        found.value += fraction()
      }
    } else if isAlone {
      found = ClockText(.clock, Double(first * 60 + second) + fraction())
    } else {
      found = ClockText(.clock, Double(first * 3600 + second * 60))
    }
    return halfOfDay(&found, hour: first) ? found : nil
  }

  private mutating func halfOfDay(_ found: inout ClockText, hour: Int) -> Bool {
    let start = tokens
    skip(" ")
    guard case .word(let word)? = tokens.first, word == "am" || word == "pm" else {
      tokens = start
      return true
    }
    tokens.removeFirst()
    guard (1...12).contains(hour) else { return false }
    found.value += word == "pm" && hour < 12 ? 43_200 : word == "am" && hour == 12 ? -43_200 : 0
    return true
  }
}

// Dates.
extension ClockScanner {
  private mutating func date() -> ClockText? {
    let start = tokens
    defer { tokens = start }
    if word(Self.weekdays, prefix: 3) != nil { skip(" ,.") }
    guard var found = packed() ?? monthThenDay() ?? numbered() else { return nil }
    guard tokens.isEmpty || zone(&found), tokens.isEmpty else { return nil }
    if case .open(let a, let b, let year)? = found.day {
      let days = [(b, a), (a, b)].map { ClockText.days(year: year, month: $0.0, day: $0.1) }
      guard days.contains(where: { $0 != nil }) else { return nil }
    }
    return found
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
    if case .word(let word)? = tokens.first, word == "t" || word == "at" || word == "kl" {
      tokens.removeFirst()
      skip(" ")
    }
    let start = tokens
    if let time = time(isAlone: false) { return time }
    tokens = start
    return spacedTime()
  }

  /// `10-00-01.123`, `10.00.01`, `100001.123`, `100001_123`, `100001123`.
  private mutating func spacedTime() -> ClockText? {
    guard case .digits(let text)? = tokens.first else { return nil }
    var parts: [Int] = []
    var rest = ""
    if text.count >= 6 {
      tokens.removeFirst()
      let all = Array(text)
      parts = [0, 2, 4].compactMap { Int(String(all[$0..<($0 + 2)])) }
      rest = String(all[6...])
    } else {
      for index in 0..<3 {
        if index > 0 {
          guard case .mark(let mark)? = tokens.first, "-._".contains(mark) else { return nil }
          tokens.removeFirst()
        }
        guard let part = digits(1...2) else { return nil }
        parts.append(part)
      }
    }
    if rest.isEmpty, case .mark(let mark)? = tokens.first, "._,-".contains(mark),
      case .digits(let digits)? = tokens.dropFirst().first, mark != "-" || digits.count == 3
    {
      rest = digits
      tokens = tokens.dropFirst(2)
    }
    guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return nil }
    let whole = Double(parts[0] * 3600 + parts[1] * 60 + parts[2])
    return ClockText(.clock, whole + (Double("0.0" + rest).map { $0 * 10 } ?? 0))
  }

  /// `20261125T100001`, `20261125 10:00:01` and `20261125100001123`.
  private mutating func packed() -> ClockText? {
    guard case .digits(let text)? = tokens.first, [8, 14, 17].contains(text.count),
      let year = Int(text.prefix(4)), (1900...2199).contains(year),
      let month = Int(text.dropFirst(4).prefix(2)), let number = Int(text.dropFirst(6).prefix(2))
    else { return nil }
    let start = tokens
    tokens.removeFirst()
    if text.count > 8 {
      tokens = [.digits(String(text.dropFirst(8)))] + tokens
    } else if tokens.isEmpty {
      tokens = start
      return nil
    }
    if let found = date(day(year, month, number), timeOfDay()) { return found }
    tokens = start
    return nil
  }

  /// `Nov 25 10:00:01 2026`, `Nov 25, 2026 10:00:01`, `25 Nov 2026 10:00:01`, `25/Nov/2026:10:00`.
  private mutating func monthThenDay() -> ClockText? {
    let start = tokens
    var number: Int?
    if word(Self.months, prefix: 3) == nil {
      number = digits(1...2)
      skip(" -/.")
    } else {
      tokens = start
    }
    guard let month = word(Self.months, prefix: 3) else {
      tokens = start
      return nil
    }
    skip(" -/.,")
    if number == nil {
      number = digits(1...2)
      skip(" ,")
    }
    if let number, let year = digits(4...4) {
      return date(day(year, month + 1, number), timeOfDay())
    }
    if let number, let time = time(isAlone: false) {
      skip(" ")
      if let year = digits(4...4) { return date(day(year, month + 1, number), time) }
    }
    tokens = start
    return nil
  }

  private mutating func numbered() -> ClockText? {
    let start = tokens
    if let first = digits(1...4), case .mark(let mark)? = tokens.first, "-/._".contains(mark) {
      tokens.removeFirst()
      if let second = digits(1...2), take(mark), let third = digits(1...4) {
        let time = timeOfDay()
        if first > 31 { return date(day(first, second, third), time) }
        let year = third < 100 ? 2000 + third : third
        // A point between day and month is written where days come first.
        return mark == "."
          ? date(day(year, second, first), time)
          : date(.open(first, second, year: year), time)
      }
    }
    tokens = start
    return nil
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
    guard case .mark(let sign)? = tokens.first, sign == "+" || sign == "-",
      case .digits(let text)? = tokens.dropFirst().first
    else { return false }
    tokens = tokens.dropFirst(2)
    guard let number = Int(text), text.count <= 4 else { return false }
    var minutes = text.count > 2 ? number / 100 * 60 + number % 100 : number * 60
    if text.count <= 2, take(":") {
      guard let more = digits(2...2) else { return false }
      minutes += more
    }
    guard minutes <= 14 * 60 else { return false }
    found.zone = (found.zone ?? 0) + (sign == "-" ? -60 : 60) * minutes
    skip(" ")
    return true
  }
}
