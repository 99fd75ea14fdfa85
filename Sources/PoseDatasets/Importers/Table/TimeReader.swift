import PoseRecording

struct TimeReader {
  private let time: TableMap.Time
  private var field: FieldReader
  private var timescale: FieldReader?
  private var fraction: FieldReader?
  private var last = 0.0
  private var passed = 0.0
  private(set) var wrap: ClockWrap?

  init?(_ time: TableMap.Time) {
    guard time.source != nil else { return nil }
    self.time = time
    field = FieldReader(time.field ?? FieldPath())
    if case .field(let path)? = time.timescale { timescale = FieldReader(path) }
    fraction = time.fraction.map { FieldReader($0) }
  }

  /// Returns a frame's time in seconds; NaN for a frame without a time and a pose, whose time
  /// follows from its neighbors.
  mutating func seconds(
    of frame: JSONNode, hasPose: Bool = true, at place: SourcePlace
  ) throws -> Double {
    let node = time.fileNumber.map { Self.number($0, at: place) } ?? field.field(of: frame)
    guard let node, !node.isEmpty, node.number?.isNaN != true else {
      guard hasPose else { return .nan }
      throw place.unexpected(time.source ?? "", "missing", "the time of every frame")
    }
    guard let seconds = try seconds(node, of: frame, at: place), seconds.magnitude < 1e15 else {
      throw place.unexpected(time.source ?? "", node.summary, allowed)
    }
    return seconds
  }

  private static func number(_ number: Int, at place: SourcePlace) -> JSONNode {
    NumberedText.number(ofFile: place.file, fromEnd: number).map {
      JSONNode(.number($0), line: place.line)
    } ?? JSONNode(.null, line: place.line)
  }

  private mutating func seconds(
    _ node: JSONNode, of frame: JSONNode, at place: SourcePlace
  ) throws -> Double? {
    switch time.timescale {
    case .number(let scale): return number(node).map { $0 / scale }
    case .field(let path):
      guard let scale = timescale?.field(of: frame)?.number, scale > 0, scale.isFinite else {
        throw place.unexpected(
          "`\(path.text)`", "missing or not above 0", "the parts of a second of every time")
      }
      return number(node).map { $0 / scale }
    case nil: break
    }
    switch time.unit {
    case .date, .dmy, .mdy:
      return node.text.flatMap { ClockText($0, isDate: true) }.flatMap { text in
        text.kind == .date
          ? text.seconds(order: ClockText.DateOrder(rawValue: time.unit.rawValue)) : nil
      }
    case .clock:
      guard let text = node.text, let seconds = ClockText.seconds(text, rate: time.rate) else {
        return nil
      }
      return continued(seconds, .ofClock(from: last, to: seconds))
    case .frames: return number(node).map { $0 / (time.rate ?? 30) }
    case .s, .ms, .us, .ns, .days, .min:
      let unit = time.unit.seconds ?? 1
      let part = try fractionSeconds(of: frame, at: place)
      if let number = number(node) {
        return continued(number, .ofCounter(from: last, to: number, second: 1 / unit)) * unit + part
      }
      guard case .text(let text) = node.content, let clock = ClockText(text), clock.kind != .date
      else { return nil }
      return clock.seconds(unit: unit).map { $0 + part }
    }
  }

  private func number(_ node: JSONNode) -> Double? {
    if let number = node.number { return number.isFinite ? number : nil }
    guard let text = node.text else { return nil }
    if let clock = ClockText(text), clock.kind == .number { return clock.value }
    guard time.number != nil || time.unit == .frames else { return nil }
    return NumberedText.number(
      of: text, fromEnd: time.number ?? 1, withFraction: time.unit != .frames)
  }

  private mutating func fractionSeconds(
    of frame: JSONNode, at place: SourcePlace
  ) throws -> Double {
    guard let path = fraction?.path else { return 0 }
    guard let number = fraction?.field(of: frame)?.number, number.isFinite else {
      throw place.unexpected("`\(path.text)`", "missing", "a number")
    }
    return number * (time.fractionUnit.seconds ?? 1e-9)
  }

  private mutating func continued(_ value: Double, _ wrap: ClockWrap?) -> Double {
    if let wrap {
      passed += wrap.period
      self.wrap = wrap
    }
    last = value
    return value + passed
  }

  private var allowed: String {
    switch time.unit {
    case .date:
      "a date such as 2026-11-25T22:00:00.125Z; `unit: dmy` or `mdy` reads dates such as 03/04/2026"
    case .dmy: "a date that begins with the day, such as 25/11/2026 22:00:00.125"
    case .mdy: "a date that begins with the month, such as 11/25/2026 22:00:00.125"
    case .clock where time.rate == nil:
      "a time such as 00:07.367; 00:00:07:11 needs the rate of its frames as `rate_hz`"
    case .clock: "a time such as 00:07.367 or 00:00:07:11"
    case .s, .ms, .us, .ns, .days, .min, .frames: "a number"
    }
  }
}

/// A restart of a clock from its beginning while time goes on.
///
/// A clock restarts at midnight, after 12 hours, after an hour if it shows no hours, or where a
/// counter's bits are used up.
struct ClockWrap: Hashable, Sendable {
  /// The amount by which the clock goes back, in the clock's own unit.
  let period: Double
  let name: String

  /// The longest time between the frames before and after the restart, in seconds.
  private static let longest = 5.0
  private static let midnight = ClockWrap(period: ClockText.day, name: "at midnight")
  private static let clocks = [
    (end: 3600.0, wrap: ClockWrap(period: 3600, name: "after an hour, as it shows no hours")),
    (end: 46_800.0, wrap: ClockWrap(period: 43_200, name: "after 12 hours")),
    (end: 43_200.0, wrap: ClockWrap(period: 43_200, name: "after 12 hours")),
  ]
  private static let counters = [32, 31].map { bits in
    ClockWrap(
      period: Double(1 << bits), name: "after \(1 << bits), the largest number of \(bits) bits")
  }

  static func ofClock(from last: Double, to next: Double) -> ClockWrap? {
    if last >= 82_800 && last < ClockText.day + 1 && next < 3600 { return midnight }
    return clocks.first { end, wrap in
      (end - longest..<end).contains(last) && wrap.continues(last, next, within: longest)
    }?.wrap
  }

  static func ofCounter(from last: Double, to next: Double, second: Double) -> ClockWrap? {
    guard next < last, second >= 1000 else { return nil }
    return counters.first { wrap in
      let longest = min(longest * second, wrap.period / 100)
      let isAtEnd = next < 0 || (wrap.period - longest...wrap.period).contains(last)
      return isAtEnd && wrap.continues(last, next, within: longest)
    }
  }

  private func continues(_ last: Double, _ next: Double, within longest: Double) -> Bool {
    let step = next + period - last
    return step > 0 && step <= longest
  }
}

struct ClockOddity {
  let frame: Int
  let found: String

  private static let fewestFrames = 10
  /// The longest usual pause, in seconds and in median steps.
  private static let (longestPause, mostSteps) = (600.0, 1000.0)
  private static let parts = [
    (end: 1.0, found: "parts of a second, without their seconds"),
    (end: 60.0, found: "seconds that start again after a minute, without their minutes"),
  ]

  init?(_ times: [Double]) {
    let steps = times.steps
    guard times.count >= Self.fewestFrames, let usual = steps.filter({ $0 > 0 }).median else {
      return nil
    }
    let backward = steps.indices.filter { steps[$0] < -5 * usual }
    let found =
      Self.part(of: times, backward) ?? Self.stray(times, steps, backward, usual)
      ?? Self.otherUnit(steps) ?? Self.shuffled(times, backward)
    guard let found else { return nil }
    (frame, self.found) = found
  }

  private static func part(of times: [Double], _ backward: [Int]) -> (Int, String)? {
    guard let first = backward.first else { return nil }
    return parts.first { end, _ in
      times.allSatisfy { (0..<end).contains($0) }
        && backward.allSatisfy { times[$0] >= 0.9 * end && times[$0 + 1] < 0.1 * end }
    }.map { (first + 1, $0.found) }
  }

  private static func stray(
    _ times: [Double], _ steps: [Double], _ backward: [Int], _ usual: Double
  ) -> (Int, String)? {
    let far = max(longestPause, mostSteps * usual)
    let found = "one frame is far from the others"
    if steps[0] > far, steps[1] < far { return (1, found) }
    if steps[steps.count - 1] > far { return (steps.count, found) }
    for index in backward {
      // If leaving out one frame removes the step back, that frame's time is wrong.
      for (one, other) in [(index, index + 2), (index - 1, index + 1)]
      where one >= 0 && other < times.count {
        if times[other] > times[one], times[other] - times[one] <= 3 * usual {
          return (one + 1, found)
        }
      }
    }
    return nil
  }

  private static func otherUnit(_ steps: [Double]) -> (Int, String)? {
    let sample = 50
    for index in steps.indices.dropFirst()
    where steps[index] < 0 || steps[index] > 50 * steps[index - 1] {
      let before = steps[..<index].suffix(sample).filter { $0 > 0 }
      let after = steps[(index + 1)...].prefix(sample).filter { $0 > 0 }
      guard before.count >= fewestFrames, after.count >= fewestFrames, let one = before.median,
        let next = after.median
      else { continue }
      let factor = max(next / one, one / next)
      if [1e3, 1e6, 1e9].contains(where: { (factor / $0 - 1).magnitude < 0.1 }) {
        return (index + 1, "from there on, the times seem to have another unit")
      }
    }
    return nil
  }

  /// Sorted times of shuffled frames have even steps; those of several recordings do not.
  private static func shuffled(_ times: [Double], _ backward: [Int]) -> (Int, String)? {
    guard backward.count > 1 else { return nil }
    let sorted = times.sorted()
    let steps = sorted.steps
    guard let step = steps.median, step > 0,
      steps.count(where: { (0.5 * step...1.5 * step).contains($0) }) * 10 >= steps.count * 9
    else { return nil }
    return (backward[0] + 1, "frames are out of order; sort them by their times")
  }
}

enum NumberedText {
  private static let longest = 300

  /// Returns a number in a text by its position from the end, where 1 is the last number; nil if
  /// there are fewer numbers.
  ///
  /// Digits of an ending such as `.mp4` do not count.
  static func number(of text: String, fromEnd: Int, withFraction: Bool) -> Double? {
    let runs = runs(of: text, withFraction: withFraction)
    guard fromEnd > 0, fromEnd <= runs.count else { return nil }
    return Double(runs[runs.count - fromEnd])
  }

  static func number(ofFile path: String, fromEnd: Int) -> Double? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return number(
      of: name.hasSuffix(".gz") ? String(name.dropLast(3)) : name, fromEnd: fromEnd,
      withFraction: false)
  }

  static func runs(of text: String, withFraction: Bool) -> [String] {
    var bytes = Array(text.utf8.suffix(longest))
    if let point = bytes.lastIndex(of: UInt8(ascii: ".")) {
      let ending = bytes[(point + 1)...]
      let isLetter = ending.first.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } ?? false
      if isLetter, ending.count <= 5 { bytes.removeSubrange(point...) }
    }
    var runs: [String] = []
    var run: [UInt8] = []
    var hasPoint = false
    for (index, byte) in bytes.enumerated() {
      let isDigit = (48...57).contains(byte)
      let isPoint =
        withFraction && byte == UInt8(ascii: ".") && !run.isEmpty && !hasPoint
        && bytes.indices.contains(index + 1) && (48...57).contains(bytes[index + 1])
      if isDigit || isPoint {
        run.append(byte)
        hasPoint = hasPoint || isPoint
      } else if !run.isEmpty {
        runs.append(String(decoding: run, as: UTF8.self))
        (run, hasPoint) = ([], false)
      }
    }
    if !run.isEmpty { runs.append(String(decoding: run, as: UTF8.self)) }
    return runs
  }
}

struct ImageName {
  let number: Double
  let recording: String

  init?(_ text: some StringProtocol) {
    let words = LabelWords.words(String(text))
    // Roboflow adds a mark to the names of images: `a-0007_jpg.rf.0c1d.jpg`.
    let own = text.firstRange(of: ".rf.").map { text[..<$0.lowerBound] } ?? text[...]
    guard
      text.contains(".") && words.last?.contains(where: \.isLetter) == true
        || words.contains(where: ["frame", "image", "img"].contains),
      !RecordingName.hasKnownEnding(String(text)),
      let number = NumberedText.number(of: String(own), fromEnd: 1, withFraction: false)
    else { return nil }
    self.number = number
    var stem = Substring(own)
    if let point = stem.lastIndex(of: "."), stem[point...].contains(where: \.isLetter) {
      stem = stem[..<point]
    }
    while stem.last?.isNumber == false { stem.removeLast() }
    while stem.last?.isNumber == true || stem.last.map({ "_-. /\\".contains($0) }) == true {
      stem.removeLast()
    }
    for word in ["frame", "image", "img"] where stem.lowercased().hasSuffix(word) {
      stem.removeLast(word.count)
    }
    while let last = stem.last, "_-. /\\".contains(last) { stem.removeLast() }
    recording = String(stem)
  }
}

extension [Double] {
  var filledBetweenNeighbors: [Double] {
    let known = indices.filter { self[$0].isFinite }
    guard known.count < count, let first = known.first, let last = known.last else { return self }
    let step = zip(known.dropFirst(), known).map { (self[$0] - self[$1]) / Double($0 - $1) }.median
    var filled = self
    for index in indices {
      if index < first { filled[index] = self[first] - Double(first - index) * (step ?? 1) }
      if index > last { filled[index] = self[last] + Double(index - last) * (step ?? 1) }
    }
    for (start, end) in zip(known, known.dropFirst()) where end > start + 1 {
      for index in (start + 1)..<end {
        let share = Double(index - start) / Double(end - start)
        filled[index] = self[start] + (self[end] - self[start]) * share
      }
    }
    return filled
  }
}
