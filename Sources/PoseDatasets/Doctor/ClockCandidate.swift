import PoseModel
import PoseRecording

struct ClockCandidate {
  enum Reading: Hashable {
    case numbers
    case clock
    /// Texts such as `00:00:07:11`; frames become fractions of a second.
    case timecode(framesSeen: Int)
    case date(hasZone: Bool)
    case pair
  }

  var time: TableMap.Time
  let name: ClockName
  let reading: Reading
  private(set) var values: [Double]
  var orderRemark: String?
  /// How the clock restarted; `values` continue as if it had not.
  var wrap: ClockWrap?

  var path: FieldPath { time.field ?? FieldPath() }
  var title: String { time.source ?? "" }
  var growth: ClockGrowth { ClockGrowth(values) }

  mutating func continueAfterWraps(_ find: (Double, Double) -> ClockWrap?) {
    var passed = 0.0
    var last = values.first ?? 0
    for (index, value) in values.enumerated() {
      if let wrap = find(last, value) {
        passed += wrap.period
        self.wrap = wrap
      }
      last = value
      values[index] = value + passed
    }
  }
}

struct ClockGrowth {
  let count: Int
  let repeated: Int
  let backward: Int
  let steps: [Double]
  private let isInStretches: Bool

  private static let shortestStretch = 5
  private static let mostRestarts = 10

  init(_ values: [Double]) {
    var (repeated, backward, stretch, isInStretches) = (0, 0, 1, true)
    var steps: [Double] = []
    for (value, last) in zip(values.dropFirst(), values) {
      if value > last {
        steps.append(value - last)
        stretch += 1
      } else if value == last {
        repeated += 1
      } else {
        backward += 1
        isInStretches = isInStretches && stretch >= Self.shortestStretch
        stretch = 1
      }
    }
    isInStretches = isInStretches && (backward == 0 || stretch >= Self.shortestStretch)
    (count, self.steps) = (values.count, steps)
    (self.repeated, self.backward, self.isInStretches) = (repeated, backward, isInStretches)
  }

  var isStrict: Bool { count > 1 && repeated == 0 && backward == 0 }
  var isStrictInStretches: Bool {
    count > 1 && repeated == 0 && backward <= Self.mostRestarts && isInStretches
  }
  var isUsual: Bool { count > 1 && steps.count * 20 >= (count - 1) * 19 }

  var isCount: Bool {
    guard let shortest = steps.min(), shortest >= 1 else { return false }
    let isMultiple = steps.allSatisfy { $0.truncatingRemainder(dividingBy: shortest) == 0 }
    return isMultiple && steps.count { $0 == shortest } * 5 >= steps.count
  }
}

struct ClockReading {
  let frames: [JSONNode]
  let hasPose: [Bool]
  var repeatsPose: [Bool] = []

  /// Reads a field as a clock; nil if its values are not times.
  ///
  /// Import leaves out frames that repeat the previous frame's time and pose if the clock grows
  /// without them, so this function ignores those frames.
  func candidate(_ path: FieldPath) -> ClockCandidate? {
    guard let whole = read(path) else { return nil }
    guard whole.growth.repeated > 0, repeatsPose.count == frames.count else { return whole }
    let nodes = path.fields(of: frames).map { $0?.content }
    let kept = frames.indices.filter { $0 == 0 || !repeatsPose[$0] || nodes[$0] != nodes[$0 - 1] }
    let short = ClockReading(frames: kept.map { frames[$0] }, hasPose: kept.map { hasPose[$0] })
    guard let one = short.read(path), one.growth.isStrictInStretches else { return whole }
    return one
  }

  private func read(_ path: FieldPath) -> ClockCandidate? {
    let name = ClockName(path.lastKey)
    guard name.meaning > .other, let nodes = nodes(path) else { return nil }
    if nodes.allSatisfy({ $0.number != nil }) {
      let isPacked = nodes.allSatisfy { [14, 17].contains($0.text?.utf8.count ?? 0) }
      if isPacked, let dates = dates(path, name, nodes, isPacked: true) { return dates }
      return numbers(path, name, nodes.compactMap(\.number))
    }
    guard let texts = nodes.mapAll({ $0.ownText.flatMap { ClockText($0) } }) else {
      return digits(path, name, nodes)
    }
    if texts.allSatisfy({ $0.kind == .number }) { return numbers(path, name, texts.map(\.value)) }
    if texts.allSatisfy({ $0.kind == .date }) { return dates(path, name, nodes, isPacked: false) }
    let isTimecode = texts.contains { $0.kind == .timecode }
    let areRatios = texts.allSatisfy { [.ratio, .number].contains($0.kind) }
    guard texts.allSatisfy({ $0.kind != .date && $0.kind != .number || $0.value == 0 || areRatios })
    else { return digits(path, name, nodes) }
    // In `frame: 12/300`, the second number is the total.
    if areRatios, name.meaning < .weakTime, texts.allSatisfy({ $0.value <= 1 }) {
      return digits(path, name, nodes)
    }
    let most = texts.compactMap(\.frames).max() ?? 0
    guard let values = texts.mapAll({ $0.seconds(rate: Double(most + 1)) }) else { return nil }
    var candidate = ClockCandidate(
      time: TableMap.Time(field: path, unit: .clock), name: name,
      reading: isTimecode ? .timecode(framesSeen: most + 1) : .clock, values: values)
    candidate.continueAfterWraps { .ofClock(from: $0, to: $1) }
    return candidate
  }

  func pair(minutes path: FieldPath, seconds: FieldPath) -> ClockCandidate? {
    var time = TableMap.Time(field: path, unit: .min)
    (time.fraction, time.fractionUnit) = (seconds, .s)
    let values = sums(path, seconds) { whole, part in
      whole == whole.rounded() && (0..<60).contains(part) ? 60 * whole + part : nil
    }
    guard let values, differ(path), ClockGrowth(values).backward == 0 else { return nil }
    return ClockCandidate(
      time: time, name: ClockName(seconds.lastKey), reading: .pair, values: values)
  }

  func pair(_ path: FieldPath, timescale: FieldPath) -> ClockCandidate? {
    var time = TableMap.Time(field: path)
    time.timescale = .field(timescale)
    return sums(path, timescale) { $1 >= 1 && $0.isFinite ? $0 / $1 : nil }
      .map { ClockCandidate(time: time, name: Self.name(path), reading: .pair, values: $0) }
  }

  func pair(_ path: FieldPath, fraction: FieldPath, unit: TableMap.Time.Unit) -> ClockCandidate? {
    guard let seconds = unit.seconds else { return nil }
    var time = TableMap.Time(field: path)
    (time.fraction, time.fractionUnit) = (fraction, unit)
    let values = sums(path, fraction) { whole, part in
      whole == whole.rounded() && (0..<1).contains(part * seconds) ? whole + part * seconds : nil
    }
    // A constant number is a timescale or belongs to another field.
    guard let values, differ(fraction) else { return nil }
    return ClockCandidate(time: time, name: Self.name(path), reading: .pair, values: values)
  }

  private func sums(
    _ path: FieldPath, _ second: FieldPath, _ sum: (Double, Double) -> Double?
  ) -> [Double]? {
    guard let wholes = nodes(path), let parts = nodes(second), wholes.count == parts.count else {
      return nil
    }
    return zip(wholes, parts).mapAll { whole, part in
      whole.number.flatMap { whole in part.number.flatMap { sum(whole, $0) } }
    }
  }

  private func differ(_ path: FieldPath) -> Bool {
    Set((nodes(path) ?? []).map(\.number)).count > 1
  }

  private static func name(_ path: FieldPath) -> ClockName {
    let own = ClockName(path.lastKey)
    guard own.meaning < .time else { return own }
    let whole = ClockName(path.text)
    return whole.meaning > own.meaning ? whole : own
  }

  func nodes(_ path: FieldPath) -> [JSONNode]? {
    var nodes: [JSONNode] = []
    var missing = 0
    for (index, node) in path.fields(of: frames).enumerated() {
      if let node, !node.isEmpty, node.number?.isNaN != true {
        nodes.append(node)
      } else {
        missing += 1
        guard !hasPose[index], missing * 20 <= frames.count else { return nil }
      }
    }
    return nodes.count > 1 ? nodes : nil
  }

  private func numbers(_ path: FieldPath, _ name: ClockName, _ values: [Double]) -> ClockCandidate?
  {
    guard values.allSatisfy(\.isFinite) else { return nil }
    var candidate = ClockCandidate(
      time: TableMap.Time(field: path), name: name, reading: .numbers, values: values)
    let second = ClockUnit(values, name: name, usual: nil, timescale: nil).flatMap(\.partsOfSecond)
    candidate.continueAfterWraps { .ofCounter(from: $0, to: $1, second: second ?? 1) }
    return candidate
  }

  private func digits(_ path: FieldPath, _ name: ClockName, _ nodes: [JSONNode]) -> ClockCandidate?
  {
    guard let texts = nodes.mapAll(\.ownText) else { return nil }
    for number in 1...4 {
      for withFraction in [true, false] {
        let found = texts.mapAll {
          NumberedText.number(of: $0, fromEnd: number, withFraction: withFraction)
        }
        guard let values = found, ClockGrowth(values).isStrict else { continue }
        let isWhole = values.allSatisfy { $0 == $0.rounded() }
        if withFraction != isWhole {
          let rate = 1 / (ClockGrowth(values).steps.median ?? 1)
          if withFraction, !ClockUnit.usualRates.contains(rate) { continue }
          var time = TableMap.Time(field: path)
          time.number = number
          return ClockCandidate(time: time, name: name, reading: .numbers, values: values)
        }
      }
    }
    return nil
  }

  private func dates(
    _ path: FieldPath, _ name: ClockName, _ nodes: [JSONNode], isPacked: Bool
  ) -> ClockCandidate? {
    let found = nodes.mapAll { node in
      node.text.flatMap { ClockText($0, isDate: true) }.flatMap { $0.kind == .date ? $0 : nil }
    }
    guard let texts = found else { return nil }
    var time = TableMap.Time(field: path, unit: .date)
    var order: ClockText.DateOrder?
    var remark: String?
    let isOpen = texts.contains { if case .open? = $0.day { true } else { false } }
    if isOpen {
      (order, remark) = Self.order(of: texts)
      time.unit = order == .monthFirst ? .mdy : .dmy
    }
    guard let values = texts.mapAll({ $0.seconds(order: order) }) else { return nil }
    if isPacked, !ClockGrowth(values).isStrictInStretches { return nil }
    return ClockCandidate(
      time: time, name: name, reading: .date(hasZone: texts.allSatisfy { $0.zone != nil }),
      values: values, orderRemark: remark)
  }

  static let openOrder = "the day may be the first or the second number"

  private static func order(of texts: [ClockText]) -> (ClockText.DateOrder?, remark: String?) {
    let possible = [ClockText.DateOrder.dayFirst, .monthFirst].compactMap { order in
      texts.mapAll { $0.seconds(order: order) }.map { (order, $0) }
    }
    guard possible.count == 2 else { return (possible.first?.0, nil) }
    let days = Set(texts.map { $0.days(.dayFirst) })
    if days.count == 1 {
      return (.dayFirst, "the day is the same in all frames, so the order does not matter")
    }
    let smooth = possible.filter { reading in
      zip(reading.1.dropFirst(), reading.1).allSatisfy { ($0 - $1).magnitude < ClockText.day }
    }
    guard smooth.count == 1, let one = smooth.first else { return (.dayFirst, openOrder) }
    return (one.0, "in the other order, days would be skipped at midnight")
  }
}

struct ClockName: Hashable, Sendable {
  enum Meaning: Int, Comparable, Sendable {
    case other
    case nothing
    case weakCounter
    case counter
    case weakTime
    case time

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  private(set) var meaning = Meaning.nothing
  private(set) var unit: TableMap.Time.Unit?
  private(set) var partsOfSecond: Double?
  private(set) var isOfStoring = false
  private(set) var isOfStamps = false

  private static let units: [(words: Set<String>, unit: TableMap.Time.Unit)] = [
    (ColumnName.words(of: .nanoseconds).union(["nano", "nanos", "nanosec", "nanosecs"]), .ns),
    (ColumnName.words(of: .microseconds).union(["micro", "micros", "microsec"]), .us),
    (ColumnName.words(of: .milliseconds).union(["milli", "millisec"]), .ms),
    (["s", "sec", "secs", "second", "seconds", "sekunden", "secondes", "segundos"], .s),
  ]
  static let unitWords = Set(units.flatMap(\.words))
  private static let parts: [String: Double] = [
    "cs": 100, "csec": 100, "centisec": 100, "centisecs": 100, "centiseconds": 100,
    "hundredths": 100, "ds": 10, "decisec": 10, "deciseconds": 10, "tenths": 10,
  ]
  private static let times: Set<String> = [
    "time", "times", "timestamp", "timestamps", "t", "ts", "pts", "dts", "date", "datetime",
    "clock", "elapsed", "stamp", "epoch", "uptime", "utc", "gmt", "unixtime", "tms", "zeit",
    "zeitpunkt", "zeitstempel", "uhrzeit", "temps", "heure", "tiempo", "hora", "tempo", "cmtime",
  ]
  private static let weakTimes: Set<String> = [
    "at", "when", "offset", "captured", "created", "recorded", "received", "taken", "moment",
    "instant", "since", "unix", "posix", "position", "pos", "day", "hour", "began", "duration",
    "key",
  ]
  private static let counters: Set<String> = [
    "frame", "frames", "index", "idx", "image", "img", "sample", "row", "filename", "file",
    "picture", "photo", "bild", "frameid", "imageid", "framenumber", "frameno", "framenum", "fno",
    "frameindex", "frameidx", "imagename", "path",
  ]
  private static let weakCounters: Set<String> = [
    "tick", "ticks", "id", "number", "num", "nr", "no", "n", "i", "count", "counter", "seq",
    "sequence", "step", "steps", "line", "item", "name",
  ]
  private static let others: Set<String> = [
    "x", "y", "z", "w", "u", "v", "score", "scores", "confidence", "conf", "visibility", "presence",
    "likelihood", "probability", "prob", "area", "width", "height", "timescale", "timezone",
    "timeout", "latency", "inference", "processing", "fps", "rate", "version", "angle", "distance",
    "battery", "temperature", "progress", "reps", "repetitions", "track", "person", "dt", "delta",
  ]
  private static let storing: Set<String> = [
    "created", "received", "recorded", "saved", "stored", "logged", "processed", "written", "sent",
    "updated", "inserted", "uploaded", "wall",
  ]

  init(_ name: String) {
    let words = Self.words(of: name)
    guard let last = words.last else { return }
    isOfStoring = words.contains(where: Self.storing.contains)
    isOfStamps = ["pts", "dts", "rtp"].contains {
      words.contains($0) || words.last?.hasSuffix($0) ?? false
    }
    let isTime = words.contains { word in
      Self.times.contains(word) || word.contains("time") && !Self.others.contains(word)
    }
    unit = Self.unit(words, isTime: isTime)
    if isTime, unit == nil {
      partsOfSecond = words.lazy.compactMap { Self.parts[$0] }.first
      if words.contains(where: ColumnName.minutes.contains) { unit = .min }
    }
    if unit != nil, Self.others.isDisjoint(with: words) {
      meaning = .time
    } else if Self.counters.contains(last) || last.hasSuffix("frame") || last.hasSuffix("index") {
      meaning = .counter
    } else if !Self.others.isDisjoint(with: words) {
      (meaning, unit) = (.other, nil)
    } else if Self.weakCounters.contains(last), !isTime {
      meaning = words.contains(where: Self.counters.contains) ? .counter : .weakCounter
    } else if Self.weakCounters.contains(last), last != "ticks", last != "tick" {
      // A field with a name such as `timestampNumber` counts frames.
      meaning = .weakCounter
    } else if isTime {
      meaning = .time
    } else if words.contains(where: Self.weakTimes.contains) || last.hasSuffix("stamp") {
      meaning = .weakTime
    } else if words.contains(where: Self.counters.contains) {
      meaning = .counter
    }
  }

  private static func unit(_ words: [String], isTime: Bool) -> TableMap.Time.Unit? {
    for word in words.reversed() {
      if let found = units.first(where: { $0.words.contains(word) }) { return found.unit }
    }
    // Names such as `timems` and `timestampns` are written as one word.
    guard isTime, let last = words.last else { return nil }
    return units.first { unit, _ in
      unit.contains { ending in
        ending.count > 1 && last.hasSuffix(ending)
          && (last.dropLast(ending.count).hasSuffix("time")
            || last.dropLast(ending.count).hasSuffix("stamp")
            || last.dropLast(ending.count).hasSuffix("in"))
      }
    }?.unit
  }

  static func words(
    of name: String, longest: Int = 200, isLetter: (Character) -> Bool = \.isLetter
  ) -> [String] {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    let characters = Array(name.prefix(longest))
    for (index, character) in characters.enumerated() {
      let endsCapitals =
        character.isUppercase && last.isUppercase
        && characters.indices.contains(index + 1) && characters[index + 1].isLowercase
      if !isLetter(character) || character.isUppercase && !last.isUppercase || endsCapitals {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isLetter(character) { word += character.lowercased() }
      last = character
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

struct ClockUnit {
  /// The usual frame rates of cameras and detectors, in hertz.
  static let usualRates = 5.0...130
  private static let cameraRates: [Double] = [15, 24, 25, 30, 48, 50, 60, 90, 100, 120, 200, 240]
  /// The frame rates, in hertz, at which the unit in a name is believed.
  private static let possibleRates = 0.5...250

  enum Evidence: Hashable {
    case name
    case steps
    case nothing
    case file
  }

  private(set) var unit = TableMap.Time.Unit.s
  private(set) var timescale: Double?
  private(set) var evidence = Evidence.nothing
  private(set) var others: [String] = []
  let step: Double

  var partsOfSecond: Double? { timescale ?? unit.seconds.map { 1 / $0 } }
  var rate: Double { 1 / (step * (timescale.map { 1 / $0 } ?? unit.seconds ?? 1)) }
  var isUsual: Bool { Self.usualRates.contains(rate) }
  var isOfCameras: Bool { Self.cameraRates.contains { (rate / $0 - 1).magnitude < 0.02 } }

  init?(_ values: [Double], name: ClockName, usual: TableMap.Time.Unit?, timescale: Double?) {
    guard let step = ClockGrowth(values).steps.median, let first = values.first else { return nil }
    self.step = step
    if let timescale, Self.usualRates.contains(timescale / step) {
      (self.timescale, evidence) = (timescale, .file)
      return
    }
    if let parts = name.partsOfSecond, Self.possibleRates.contains(parts / step) {
      (self.timescale, evidence) = (parts, .name)
      return
    }
    let bySteps = Self.unit(values, step: step)
    if let named = name.unit ?? usual {
      (unit, evidence) = (named, name.unit == nil ? .nothing : .name)
      guard let bySteps, bySteps != named else { return }
      if name.unit != nil, Self.possibleRates.contains(rate) { return }
      if name.unit != nil { others = ["\(named.rawValue), as the name says"] }
      (unit, evidence) = (bySteps, .steps)
      return
    }
    if let parts = Self.stamps(first, step: step, name) {
      (self.timescale, evidence) = (parts, .steps)
      others = bySteps.map { [$0.rawValue] } ?? []
    } else if let bySteps {
      (unit, evidence) = (bySteps, .steps)
    }
  }

  private static func unit(_ values: [Double], step: Double) -> TableMap.Time.Unit? {
    // Spreadsheets count days from about 1900.
    let isDay = values.allSatisfy { (20_000...800_000).contains($0) }
    if isDay, possibleRates.contains(1 / (step * 86_400)) { return .days }
    guard values.count >= ClockSurvey.fewestTimes, let found = TimeUnit(ofStep: step) else {
      return nil
    }
    return TableMap.Time.Unit.allCases.first { $0.seconds == found.seconds }
  }

  /// Returns the units per second of a codec's time stamps or of ticks; nil for other values.
  ///
  /// Codecs count at 90 kHz; .NET and Windows count 100 ns since the year 1 or 1601.
  private static func stamps(_ first: Double, step: Double, _ name: ClockName) -> Double? {
    let isTick = (6.2e17...6.7e17).contains(first) || (1.25e17...1.45e17).contains(first)
    if isTick, usualRates.contains(1e7 / step) { return 1e7 }
    let isWhole = step == step.rounded()
    let bySteps = TimeUnit(ofStep: step)?.seconds.map { 1 / (step * $0) }
    let isExplained = bySteps.map(usualRates.contains) ?? false
    return name.isOfStamps && isWhole && !isExplained && usualRates.contains(90_000 / step)
      ? 90_000 : nil
  }
}
