import PoseModel
import PoseRecording

extension TableExamination {
  private static let timeNames = [
    "timestamp", "time", "t", "ts", "pts", "seconds", "sec", "date", "datetime", "elapsed",
    "millis",
    "milliseconds", "nanoseconds", "clock", "key",
  ]

  private struct TimeCandidate {
    let path: FieldPath
    let values: [Double]
    let isDate: Bool
    let rank: Int
  }

  mutating func examineTime(_ fields: FieldSearch, offset: FieldPath?) {
    let paths =
      builtIn.map { [$0.time.field].compactMap { $0 } }
      ?? fields.scalars.map(\.path) + [offset].compactMap { $0 }
    let candidates = paths.compactMap { candidate($0) }
    guard let best = candidates.max(by: { $0.rank < $1.rank }) else {
      warnOfBrokenClock(paths)
      return concludeRate()
    }
    if best.isDate {
      map.time = TableMap.Time(field: best.path, unit: .date)
      diagnosis.conclude("time", "dates in `\(best.path.text)`", .sure, "written as ISO 8601")
      return
    }
    let steps = zip(best.values.dropFirst(), best.values).map { $0 - $1 }.filter { $0 > 0 }
    guard let step = steps.median else { return concludeRate() }
    let name = best.path.lastKey.lowercased()
    let countsFrames =
      steps.allSatisfy { $0 == $0.rounded() } && step == 1
      && !["s", "sec", "seconds"].contains(name)
    if countsFrames {
      let rate = knownRate
      map.time = TableMap.Time(field: best.path, unit: .frames, rate: rate ?? 30)
      diagnosis.conclude(
        "time", "frames counted by `\(best.path.text)`, \(rate ?? 30) per second",
        rate == nil ? .unsure : .likely,
        rate == nil
          ? "it grows by 1; nothing says how fast" : "it grows by 1; the file says the rate")
      if rate == nil { warnRate() }
      return
    }
    let (unit, isNamed, contradiction) = Self.unit(
      ClockSurvey(best.values), name: name, usual: builtIn?.time.unit)
    map.time = TableMap.Time(field: best.path, unit: unit)
    let seconds = step * (unit.seconds ?? 1)
    let rate = (1 / seconds * 10).rounded() / 10
    let isEpoch = (best.values.first ?? 0) * (unit.seconds ?? 1) > ClockSurvey.earliestDate
    let isUsual = isNamed || (5...130).contains(rate)
    diagnosis.conclude(
      "time",
      "`\(best.path.text)` in \(unit.rawValue), \(rate) frames per second"
        + (isEpoch ? ", as a date" : ""),
      contradiction != nil ? .unsure : isUsual ? .sure : .likely,
      "the median step is \(Self.short(step))" + (isNamed ? ", and the name says the unit" : ""),
      alternatives: contradiction.map { ["\($0.rawValue), as the name says"] } ?? [])
  }

  private static func unit(
    _ clock: ClockSurvey, name: String, usual: TableMap.Time.Unit?
  ) -> (unit: TableMap.Time.Unit, isNamed: Bool, contradiction: TableMap.Time.Unit?) {
    let words: [(String, TableMap.Time.Unit)] = [
      ("nano", .ns), ("_ns", .ns), ("micro", .us), ("_us", .us), ("milli", .ms), ("_ms", .ms),
      ("inms", .ms), ("timems", .ms), ("sec", .s), ("_s", .s),
    ]
    let named = words.first { name.contains($0.0) || name == $0.0.dropFirst() }?.1
    let bySteps = clock.unit.flatMap { unit in
      TableMap.Time.Unit.allCases.first { $0.time == unit && $0 != .frames }
    }
    let unit = bySteps ?? named ?? usual ?? .s
    return (unit, named == unit, named == unit ? nil : named)
  }

  static func short(_ number: Double) -> String {
    let scale = number == 0 ? 1 : pow10(3 - Int(Double.log10Floor(number.magnitude)))
    let rounded = (number * scale).rounded() / scale
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }

  private static func pow10(_ exponent: Int) -> Double {
    (0..<exponent.magnitude).reduce(1.0) { value, _ in exponent > 0 ? value * 10 : value / 10 }
  }

  private func candidate(_ path: FieldPath) -> TimeCandidate? {
    var reader = FieldReader(path)
    let nodes = first.map { reader.field(of: $0) }
    guard nodes.count(where: { $0 == nil }) * 20 <= nodes.count, nodes.count > 1 else { return nil }
    let name = path.lastKey.lowercased()
    let isNamed = Self.isTimeName(name)
    let counts = ["frame", "index", "idx", "image_id", "frame_id"].contains { name.contains($0) }
    let numbers = nodes.compactMap { $0?.number }
    guard numbers.count * 20 >= nodes.count * 19 else {
      let dates = nodes.compactMap { $0?.text }.filter { FrameReader.seconds(ofDate: $0) != nil }
      guard dates.count * 20 >= nodes.count * 19 else { return nil }
      return TimeCandidate(path: path, values: [], isDate: true, rank: 100)
    }
    let rising = zip(numbers.dropFirst(), numbers).count { $0 > $1 }
    guard rising * 20 >= (numbers.count - 1) * 19, isNamed || counts || path == offsetPath else {
      return nil
    }
    let isWhole = zip(numbers.dropFirst(), numbers).allSatisfy { $0 - $1 == 1 }
    return TimeCandidate(
      path: path, values: numbers, isDate: false,
      rank: (isNamed ? 50 : 0) + (isWhole ? 0 : 30) - path.steps.count)
  }

  private var offsetPath: FieldPath { FieldPath([.element(0)]) }

  private var knownRate: Double? {
    let names = ["fps", "framerate", "rate", "hz", "samplerate", "framespersecond", "ratehz"]
    return facts.first { fact in
      (names.contains(fact.name) || ["fps", "framerate"].contains { fact.name.hasSuffix($0) })
        && !fact.name.contains("inference") && (1...1000).contains(fact.node.number ?? 0)
    }?.node.number
  }

  private mutating func warnOfBrokenClock(_ paths: [FieldPath]) {
    guard let path = paths.first(where: { Self.isTimeName($0.lastKey.lowercased()) }),
      first.count > 1
    else { return }
    var reader = FieldReader(path)
    let numbers = first.compactMap { reader.field(of: $0)?.number }
    let found =
      numbers.count < first.count
      ? "is missing in \(CountText.of(first.count - numbers.count, "frame"))"
      : "does not grow from frame to frame"
    diagnosis.warn(
      "`\(path.text)` is called like a time, but \(found)",
      "correct the file: times must grow, and every frame needs one")
  }

  private static func isTimeName(_ name: String) -> Bool {
    timeNames.contains { name == $0 || name.contains($0) && $0.count > 2 }
  }

  private mutating func concludeRate() {
    map.time = TableMap.Time(field: nil, rate: knownRate ?? 30)
    if let knownRate {
      diagnosis.conclude(
        "time", "\(knownRate) frames per second", .likely, "the file says the rate")
    } else {
      let evidence =
        table.count == 1 ? "there is one frame only" : "no field grows from frame to frame"
      diagnosis.conclude("time", "none", .sure, evidence)
      warnRate()
    }
  }

  private mutating func warnRate() {
    diagnosis.warn(
      "no clock: 30 frames per second are assumed, and every duration depends on it",
      "give --rate, or better, save the time of every frame")
    diagnosis.options += ["--rate", "30"]
  }
}

extension Double {
  fileprivate static func log10Floor(_ number: Double) -> Double {
    var exponent = 0.0
    var value = number
    while value >= 10, exponent < 300 { (value, exponent) = (value / 10, exponent + 1) }
    while value < 1, exponent > -300 { (value, exponent) = (value * 10, exponent - 1) }
    return exponent
  }
}
