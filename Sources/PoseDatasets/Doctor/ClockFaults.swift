import PoseModel
import PoseRecording

extension TableExamination {
  struct CoarseClock {
    let path: FieldPath
    let rate: Double?
    let evidence: String
    let problem: String
  }

  func coarseClock(_ fields: FieldSearch) -> CoarseClock? {
    guard first.count > Self.fewestFrames, builtIn?.time.field == nil else { return nil }
    let reading = clockReading
    for path in timeFields(fields) {
      let name = ClockName(path.lastKey)
      guard name.meaning > .other, let candidate = reading.candidate(path) else { continue }
      let isSeconds: Bool =
        switch candidate.reading {
        case .date, .clock: true
        case .numbers: name.meaning >= .weakTime && (name.unit ?? .s) == .s
        case .timecode, .pair: false
        }
      let growth = candidate.growth
      guard isSeconds, growth.backward == 0, growth.repeated * 2 > growth.count,
        !growth.steps.isEmpty, growth.steps.allSatisfy({ $0 == 1 })
      else { continue }
      // The samples may cover only one second.
      let frames = (0..<min(table.count, Self.mostFrames)).compactMap { try? table.frame($0) }
      let longer = values(path.nodes(in: frames).filter { !$0.isEmpty })
      return Self.coarse(path, longer ?? candidate.values)
    }
    return nil
  }

  private static let mostFrames = 3000

  private static func coarse(_ path: FieldPath, _ values: [Double]) -> CoarseClock {
    let starts = values.indices.filter { $0 > 0 && values[$0] > values[$0 - 1] }
    let blocks = starts.steps
    let repeated = values.count - starts.count - 1
    var rate: Double?
    if let first = starts.first, let last = starts.last, let shortest = blocks.min(),
      let longest = blocks.max(), blocks.count >= 2, longest - shortest <= max(2, longest / 10)
    {
      rate = (Double(last - first) / (values[last] - values[first])).rounded(toDecimals: 2)
    }
    let sizes = blocks.min().map { shortest in
      let longest = blocks.max() ?? shortest
      return (shortest == longest ? "" : "\(shortest) to ") + "\(longest) frames in each"
    }
    let looks = "whole seconds" + (sizes.map { ", with \($0)" } ?? "")
    return CoarseClock(
      path: path, rate: rate, evidence: "`\(path.text)` has \(looks)",
      problem: "`\(path.text)` repeats the time of the frame before in "
        + "\(CountText.of(repeated, "frame")) of \(values.count): it has \(looks)")
  }

  mutating func concludeWithoutClock(
    _ fields: FieldSearch, growing: [FieldPath], _ coarse: CoarseClock?
  ) {
    if knownRate == nil, let coarse {
      guard let rate = coarse.rate else {
        map.time = TableMap.Time(field: nil, rate: 30)
        diagnosis.conclude("time", "none", .unsure, coarse.evidence)
        return diagnosis.block(
          coarse.problem,
          "save times with fractions of a second; or, if frames are evenly spaced, write a map "
            + "with `rate_hz` instead of `time`")
      }
      map.time = TableMap.Time(field: nil, rate: rate)
      return diagnosis.conclude(
        "time", "\(rate) frames per second", .likely, coarse.evidence,
        alternatives: ["--rate, if frames are missing"])
    }
    nameBrokenClock(fields)
    if let path = timeFields(fields).first(where: countsDown)?.text {
      diagnosis.block(
        "`\(path)` falls by 1 from frame to frame, so the last frame comes first",
        "sort the frames by `\(path)`; if they are in order, remove `\(path)`")
    }
    if let list = fields.numberLists.first(where: isDate)?.path.text {
      diagnosis.block(
        "`\(list)` is a date as a list of numbers, which cannot be read",
        "save the time of every frame as a number or as a text such as 2026-05-01T10:00:00.250Z")
    }
    if let path = timeFields(fields).first(where: isShuffledCounter)?.lastKey {
      diagnosis.block(
        "`\(path)` counts frames, but they are in another order", "sort the frames by `\(path)`")
    }
    map.time = TableMap.Time(field: nil, rate: knownRate ?? 30)
    if knownRate == nil, table.count > 1,
      let step = facts.first(where: {
        $0.isOfFrame && isInterval($0.path, isOfFrame: true)
          && (Set(steps($0) ?? []).count > 1
            || $0.node.number ?? 0 > 0 && !$0.name.contains("duration"))
      })
    {
      let path = step.path.text
      diagnosis.conclude("time", "none", .unsure, "`\(path)` is the time since another frame")
      return diagnosis.block(
        "frames have `\(path)`, the time since the frame before, but no time of their own",
        "add up `\(path)` from frame to frame, and save the sum as `time`")
    }
    if let knownRate {
      let strided = stride.map { stride in
        "--rate \((knownRate / Double(stride.count)).rounded(toDecimals: 3)), if only every frame "
          + "number \(stride.count) was saved, as `\(stride.path)` says"
      }
      let others = knownRates.dropFirst().map { "--rate \($0)" } + (strided.map { [$0] } ?? [])
      return diagnosis.conclude(
        "time", "\(knownRate) frames per second", others.isEmpty ? .likely : .unsure,
        "the file gives the rate", alternatives: others)
    }
    let growing =
      growing.first
      ?? timeFields(fields).first { ClockGrowth($0.nodes(in: first).compactMap(\.number)).isUsual }
    let evidence: String
    if table.count == 1 {
      evidence = "there is only one frame"
    } else if let path = growing {
      let isTime = ClockName(path.lastKey).meaning >= .weakTime
      evidence =
        "`\(path.text)` grows, but "
        + (isTime
          ? "not in every frame, as a clock would"
          : "neither its name nor its steps are those of a clock")
    } else {
      evidence = "no field grows from frame to frame"
    }
    diagnosis.conclude("time", "none", growing == nil ? .sure : .unsure, evidence)
    warnRate("no clock: ")
  }

  private func countsDown(_ path: FieldPath) -> Bool {
    guard ClockName(path.lastKey).meaning == .counter, !Self.isRest(path.lastKey) else {
      return false
    }
    let numbers = path.nodes(in: first).compactMap(\.number)
    return numbers.count == first.count && numbers.count >= Self.fewestFrames
      && zip(numbers.dropFirst(), numbers).allSatisfy { $0 - $1 == -1 }
  }

  private func isDate(_ list: NumberList) -> Bool {
    guard (6...8).contains(list.count), ClockName(list.path.lastKey).meaning >= .weakTime,
      let numbers = list.path.nodes(in: first).first?.flatNumbers, numbers.count == list.count
    else { return false }
    return (1900...2200).contains(numbers[0]) && (1...12).contains(numbers[1])
      && (1...31).contains(numbers[2])
  }

  private func isShuffledCounter(_ path: FieldPath) -> Bool {
    guard ClockName(path.lastKey).meaning == .counter, !Self.isRest(path.lastKey),
      !countsDown(path), first.count >= Self.fewestFrames,
      let own = counts(path, in: first), ClockGrowth(own).backward * 20 > own.count,
      let all = counts(
        path, in: (0..<min(table.count, Self.mostFrames)).map { try? table.frame($0) })
    else { return false }
    let distinct = Set(all)
    return distinct.count * 2 > all.count && ClockGrowth(distinct.sorted()).isCount
  }

  private func counts(_ path: FieldPath, in frames: [JSONNode?]) -> [Double]? {
    var reader = FieldReader(path)
    return frames.mapAll { frame in
      guard let node = frame.flatMap({ reader.field(of: $0) }) else { return nil }
      return node.number
        ?? node.ownText.flatMap { NumberedText.number(of: $0, fromEnd: 1, withFraction: false) }
    }
  }

  private static func isRest(_ key: String) -> Bool {
    ClockName.words(of: key).contains { ["left", "remaining", "remain"].contains($0) }
  }

  private mutating func nameBrokenClock(_ fields: FieldSearch) {
    let paths = builtIn?.time.field.map { [$0] } ?? timeFields(fields)
    let named = paths.filter {
      ClockName($0.lastKey).meaning >= .weakTime && !isInterval($0, isOfFrame: true)
    }
    let best = named.max { ClockName($0.lastKey).meaning < ClockName($1.lastKey).meaning }
    guard first.count > 1, let path = best else { return }
    let nodes = path.fields(of: first)
    let present = nodes.compactMap { $0 }.filter { !$0.isEmpty && $0.number?.isNaN != true }
    let numbers = values(present) ?? []
    let growth = numbers.isEmpty ? nil : ClockGrowth(numbers)
    let found: String
    var isClock = false
    var isShuffled = false
    var countsDown = false
    if present.count < nodes.count {
      found = "is missing in \(CountText.of(nodes.count - present.count, "frame"))"
      isClock = present.count * 2 > nodes.count && growth?.isUsual ?? false
    } else if let growth {
      found = Self.fault(growth)
      isShuffled =
        ClockName(path.lastKey).meaning == .time && Self.areShuffled(numbers, growth, path.lastKey)
      // With a rate, frames need no clock, so a falling field does not prevent the import.
      countsDown =
        numbers.count >= Self.fewestFrames && growth.backward == numbers.count - 1
        && knownRate == nil
      isClock = isShuffled || countsDown || growth.backward == 0 && !growth.steps.isEmpty
    } else {
      let odd = present.first { $0.number == nil && $0.text.flatMap { ClockText($0) } == nil }
      found = "is not a readable time, such as \((odd ?? present[0]).summary)"
    }
    let problem = "`\(path.text)` is named like a time, but \(found)"
    let remedy =
      isShuffled
      ? "frames are out of order; sort them by `\(path.text)`"
      : countsDown
        ? (Self.isRest(path.lastKey) ? "it" : "sort frames by it if it is a clock; if it")
          + " counts down, save the time since the start, which is the first `\(path.text)` less "
          + "the frame's own, as `time`"
        : "correct the file: times must increase, and every frame needs one"
    guard !isClock else { return diagnosis.block(problem, remedy) }
    diagnosis.warn(problem, remedy)
    diagnosis.unreadClock = problem
  }

  /// Whether values are a clock's times in another order, because they have even steps once sorted.
  private static func areShuffled(
    _ values: [Double], _ growth: ClockGrowth, _ key: String
  ) -> Bool {
    let sorted = ClockGrowth(values.sorted())
    guard growth.backward > 0, !(isRest(key) && growth.steps.isEmpty), sorted.count >= fewestFrames,
      sorted.isStrict,
      let least = sorted.steps.min(), let median = sorted.steps.median
    else { return false }
    return least >= 0.2 * median
  }

  private func values(_ nodes: [JSONNode]) -> [Double]? {
    nodes.mapAll { node in
      node.number
        ?? node.ownText.flatMap { text in
          ClockText.seconds(text, rate: 1000, order: .dayFirst)
            ?? ClockText.seconds(text, rate: 1000, order: .monthFirst)
        }
    }
  }

  private static func fault(_ growth: ClockGrowth) -> String {
    if growth.steps.isEmpty { return "does not grow from frame to frame" }
    var faults: [String] = []
    if growth.repeated > 0 {
      faults.append(
        "repeats the time of the frame before in \(CountText.of(growth.repeated, "frame"))")
    }
    if growth.backward > 0 {
      faults.append("goes back in \(CountText.of(growth.backward, "frame"))")
    }
    return faults.joined(separator: " and ")
  }

  mutating func nameFaults(_ best: Clock) {
    let growth = best.candidate.growth
    guard growth.repeated > 0 else { return }
    diagnosis.warn(
      "`\(best.path.text)` \(Self.fault(growth))",
      "remove repeated frames, or give each frame its own time")
  }

  var knownRate: Double? { knownRates.first ?? table.declaredRate ?? rateOfInterval }

  private var knownRates: [Double] {
    let names = ["rate", "hz", "samplerate", "framespersecond", "ratehz", "samplingrate"]
    var rates: [Double] = []
    for fact in facts {
      let isRate =
        names.contains(fact.name) || fact.name.hasSuffix("fps") || fact.name.hasSuffix("framerate")
      guard isRate, Self.otherRates.isDisjoint(with: fact.path.words),
        let rate = Self.rate(fact.node),
        (1...1000).contains(rate), !varies(fact, from: rate, by: Self.rate)
      else { continue }
      if !rates.contains(rate) { rates.append(rate) }
    }
    return rates
  }

  private static let otherRates: Set = [
    "inference", "imu", "accelerometer", "gyroscope", "sensor", "audio", "sound", "display",
    "refresh", "screen", "target", "desired", "requested", "preferred", "max", "min",
  ]

  /// Every how many frames of the video a frame was saved, by a field such as `frame_stride`.
  var stride: (path: String, count: Int)? {
    let words: Set = ["stride", "every", "skip", "subsample", "downsample", "nth"]
    for fact in facts where !fact.isOfFrame && !words.isDisjoint(with: fact.path.words) {
      if let count = fact.node.number.flatMap({ Int(exactly: $0) }), (2...120).contains(count) {
        return (fact.path.text, count)
      }
    }
    return nil
  }

  private func varies(_ fact: Fact, from number: Double, by read: (JSONNode) -> Double?) -> Bool {
    fact.isOfFrame && fact.path.fields(of: samples).contains { $0.flatMap(read) != number }
  }

  /// The rate from a constant time between two frames, such as `Frame Time: 0.0083333`; nil without
  /// such a time.
  private var rateOfInterval: Double? {
    for fact in facts where isInterval(fact.path, isOfFrame: fact.isOfFrame) {
      guard let steps = steps(fact), let usual = steps.median, let shortest = steps.min(),
        let longest = steps.max()
      else { continue }
      // Intervals in whole milliseconds alternate, for example between 33 and 34.
      let isWhole = steps.allSatisfy { $0 == $0.rounded() && $0 > 1 }
      guard longest - shortest <= (isWhole ? 1 : usual / 1000) else { continue }
      let step = steps.reduce(0, +) / Double(steps.count)
      let unit = ClockName(fact.path.lastKey).unit
      let rates = unit.flatMap(\.seconds).map { [1 / (step * $0)] } ?? [1 / step, 1000 / step]
      if let rate = rates.first(where: ClockUnit.usualRates.contains) {
        return rate.rounded(toDecimals: 2)
      }
    }
    return nil
  }

  /// The times between frames in the field's own unit; nil if a frame other than the first has none.
  private func steps(_ fact: Fact) -> [Double]? {
    guard fact.isOfFrame else { return fact.node.number.flatMap { $0 > 0 ? [$0] : nil } }
    var numbers = fact.path.fields(of: samples).map { $0?.number ?? 0 }
    if numbers.first == 0 { numbers.removeFirst() }
    return !numbers.isEmpty && numbers.allSatisfy { $0 > 0 && $0.isFinite } ? numbers : nil
  }

  /// Whether a name means the time between two frames, such as `dt`, `deltaMs` or `frame_duration`.
  private func isInterval(_ path: FieldPath, isOfFrame: Bool) -> Bool {
    let words = ClockName.words(of: path.lastKey)
    let name = words.joined()
    let stem = words.filter { !ClockName.unitWords.contains($0) }.joined()
    let ending = ClockName.unitWords.filter { $0.count > 1 && name.hasSuffix($0) }
      .max { $0.count < $1.count }
    let stems = [name, stem, ending.map { String(name.dropLast($0.count)) } ?? name]
    let names = [
      "frametime", "frametimes", "timestep", "dt", "deltatime", "timedelta", "deltat", "interval",
      "sincelast", "sinceprevious",
    ]
    let endings = [
      "frameinterval", "sampleinterval", "sampleperiod", "frameperiod", "frameduration",
      "sincelastframe", "sincepreviousframe",
    ]
    let isNamed = stems.contains { one in
      names.contains(one) || endings.contains(where: one.hasSuffix)
    }
    // Without a unit, these may be the change of any quantity or the length of a clip.
    return isNamed || isOfFrame && stem != name && ["delta", "duration"].contains(stem)
  }

  private static func rate(_ node: JSONNode) -> Double? {
    if let number = node.number { return number }
    guard case .text(let text) = node.content else { return nil }
    let parts = text.split(separator: "/")
    if parts.count == 2, let number = Double(decimal: parts[0]), let by = Double(decimal: parts[1])
    {
      return by > 0 ? (number / by).rounded(toDecimals: 3) : nil
    }
    let word = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(word.count).lowercased().filter(\.isLetter)
    return ["fps", "hz", "framespersecond"].contains(unit) ? Double(decimal: word) : nil
  }

  mutating func warnRate(_ reason: String) {
    diagnosis.warn(
      reason + "30 frames per second is assumed, and all durations depend on that rate",
      "give --rate or, better, save the time of every frame")
    diagnosis.needsRate = true
  }

  static func short(_ number: Double) -> String {
    let scale = number == 0 ? 1 : pow10(3 - Int(Double.log10Floor(number.magnitude)))
    return ((number * scale).rounded() / scale).plain
  }

  static func percent(_ share: Double) -> String { "\(short(share * 100)) %" }

  private static func pow10(_ exponent: Int) -> Double {
    (0..<exponent.magnitude).reduce(1.0) { value, _ in exponent > 0 ? value * 10 : value / 10 }
  }
}

extension Double {
  var tenths: Double { rounded(toDecimals: 1) }

  fileprivate func rounded(toDecimals count: Int) -> Double {
    let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }

  fileprivate static func log10Floor(_ number: Double) -> Double {
    var exponent = 0.0
    var value = number
    while value >= 10, exponent < 300 { (value, exponent) = (value / 10, exponent + 1) }
    while value < 1, exponent > -300 { (value, exponent) = (value * 10, exponent - 1) }
    return exponent
  }
}

extension FieldPath {
  fileprivate var words: [String] {
    steps.compactMap(\.name).flatMap { ClockName.words(of: $0) }
  }
}
