import PoseModel
import PoseRecording

extension TableExamination {
  struct Clock {
    let candidate: ClockCandidate
    let unit: ClockUnit?
    let isCounter: Bool
    let rank: Int

    var path: FieldPath { candidate.path }
    var rate: Double? {
      if isCounter { return nil }
      return unit?.rate ?? candidate.growth.steps.median.map { 1 / $0 }
    }
    var isUsual: Bool { rate.map(ClockUnit.usualRates.contains) ?? false }
    var unitText: String {
      switch candidate.reading {
      case .numbers:
        unit?.timescale.map { "parts of \(TableExamination.short($0)) per second" }
          ?? unit?.unit.rawValue ?? "s"
      case .clock, .timecode, .date: ""
      case .pair: "s"
      }
    }
  }

  private static let lowestRank = 20
  /// The plausible frame rates, in hertz, if no name gives the unit.
  private static let rates = 2.0...250
  /// The possible frame rates, in hertz; a clock with another rate is not believed.
  static let believedRates = 0.1...1000
  private static let mostSkipped = 100.0
  /// The smallest number of frames that can show a clock if the field's name does not suggest one.
  static let fewestFrames = 10

  mutating func examineTime(_ fields: FieldSearch, offset: FieldPath?) {
    let clocks = clocks(fields, offset: offset)
    let best = clocks.max { $0.rank < $1.rank }
    let coarse =
      best.map { $0.isCounter || $0.rank < Self.lowestRank } ?? true ? coarseClock(fields) : nil
    guard let best, best.rank >= Self.lowestRank else {
      return concludeWithoutClock(fields, growing: clocks.map(\.path), coarse)
    }
    if best.isCounter {
      concludeCounter(best, coarse)
    } else {
      conclude(best, among: clocks)
    }
    nameFaults(best)
  }

  var clockReading: ClockReading {
    let columns = map.joints.values.flatMap { $0.paths.prefix(3).map { $0.fields(of: first) } }
    let hasPose = first.indices.map { index in
      columns.contains { column in
        guard let node = column[index], !node.isEmpty else { return false }
        return node.flatNumbers.allSatisfy(\.isFinite)
      }
    }
    let repeatsPose = first.indices.map { index in
      columns.allSatisfy { index > 0 && $0[index]?.content == $0[index - 1]?.content }
    }
    return ClockReading(frames: first, hasPose: hasPose, repeatsPose: repeatsPose)
  }

  private func clocks(_ fields: FieldSearch, offset: FieldPath?) -> [Clock] {
    guard first.count > 1 else { return [] }
    let reading = clockReading
    let scalars = timeFields(fields)
    var paths = scalars + [offset].compactMap { $0 }
    if let own = builtIn?.time.field { paths = [own] }
    var clocks = paths.compactMap { path in
      reading.candidate(path).flatMap { clock($0, isOffset: path == offset) }
    }
    if builtIn?.time.field == nil {
      let pairs = Self.pairs(scalars + fields.numberLists.flatMap(Self.elements), reading)
      clocks = pairs.compactMap { clock($0, isOffset: false) } + clocks
      if let names = fileNames { clocks += [clock(names, isOffset: false)].compactMap(\.self) }
    }
    return clocks
  }

  private var fileNames: ClockCandidate? {
    guard map.layout.isFramePerFile else { return nil }
    let names = (0..<table.count).map { table.place($0).file }
    for place in 1...4 {
      let found = names.mapAll { NumberedText.number(ofFile: $0, fromEnd: place) }
      guard let numbers = found, ClockGrowth(numbers).isStrict else { continue }
      guard ClockGrowth(numbers).steps.contains(where: { $0 != 1 }) else { return nil }
      return ClockCandidate(
        time: TableMap.Time(fileNumber: place), name: ClockName("file"), reading: .numbers,
        values: numbers)
    }
    return nil
  }

  func timeFields(_ fields: FieldSearch) -> [FieldPath] {
    let points = Set(fields.points.flatMap(\.place.paths))
    // Columns of points are coordinates and scores, such as `kp0x` and `kp0s`.
    let columns = Set(fields.points.flatMap(\.fields))
    return fields.scalars.map(\.path).filter { path in
      guard !path.steps.isEmpty, !isIDOfElement(path), !columns.contains(path) else { return false }
      let isOfPoint = (1...path.steps.count).contains {
        points.contains(FieldPath(Array(path.steps.prefix($0))))
      }
      // A point may have a time of its own.
      return !isOfPoint || ClockName(path.lastKey).meaning == .time
    }
  }

  /// Whether a field numbers people or other elements of a list, not frames.
  private func isIDOfElement(_ path: FieldPath) -> Bool {
    path.lastKey.lowercased() == "id" && path.steps.count > 1 && path.parent.steps.last?.name == nil
  }

  private static func elements(_ list: NumberList) -> [FieldPath] {
    guard list.count == 2, ClockName(list.path.lastKey).meaning >= .weakTime else { return [] }
    return [0, 1].map { list.path.appending(.element($0)) }
  }

  private static func pairs(_ paths: [FieldPath], _ reading: ClockReading) -> [ClockCandidate] {
    func plain(_ path: FieldPath) -> String { ClockName.words(of: path.lastKey).joined() }
    var candidates: [ClockCandidate] = []
    let families = Dictionary(grouping: paths) { FieldPath(Array($0.steps.dropLast())) }
    for family in families.values {
      for second in family {
        if case .element(1)? = second.steps.last {
          let value = FieldPath(second.steps.dropLast() + [.element(0)])
          if let one = reading.pair(value, fraction: second, unit: .ns), one.growth.isStrict {
            candidates.append(one)
          } else if let one = reading.pair(value, timescale: second) {
            candidates.append(one)
          }
          continue
        }
        let name = plain(second)
        if name.hasSuffix("timescale") {
          let start = String(name.dropLast("timescale".count))
          let words = ["value", "time", "ticks", "timestamp", "pts", ""].map { start + $0 }
          let value = words.lazy.compactMap { word in family.first { plain($0) == word } }.first
          if let value, let one = reading.pair(value, timescale: second) { candidates.append(one) }
        }
        guard let unit = ClockName(second.lastKey).unit else { continue }
        if unit == .s {
          let minutes = family.first {
            ClockName.words(of: $0.lastKey).contains(where: ColumnName.minutes.contains)
          }
          candidates += [minutes.flatMap { reading.pair(minutes: $0, seconds: second) }]
            .compactMap(\.self)
          continue
        }
        let whole = family.first { $0 != second && ClockName($0.lastKey).unit == .s }
        if let whole, let one = reading.pair(whole, fraction: second, unit: unit) {
          candidates.append(one)
        }
      }
    }
    return candidates
  }

  private func clock(_ candidate: ClockCandidate, isOffset: Bool) -> Clock? {
    let growth = candidate.growth
    let name = candidate.name
    let isNamed = name.meaning >= .weakTime || isOffset || builtIn?.time.field != nil
    let isCalled = isNamed || name.meaning >= .weakCounter
    let grows =
      isNamed
      ? growth.isStrictInStretches || growth.isUsual
      : isCalled ? growth.isStrictInStretches : growth.isStrict
    guard grows, isCalled || growth.count >= Self.fewestFrames else { return nil }
    guard case .numbers = candidate.reading else {
      let rate = growth.steps.median.map { 1 / $0 } ?? 0
      guard candidate.reading != .pair || (0.5...250).contains(rate) else { return nil }
      let rank = 90 + (name.meaning >= .time ? 10 : 0) - penalty(candidate)
      return Clock(candidate: candidate, unit: nil, isCounter: false, rank: rank)
    }
    let unit = ClockUnit(
      candidate.values, name: name, usual: builtIn?.time.field == nil ? nil : builtIn?.time.unit,
      timescale: timescale(name))
    let isCounter = isCounter(candidate, unit)
    var rank = -penalty(candidate)
    if isCounter {
      rank += [.counter: 45, .weakCounter: 38, .nothing: 30][name.meaning] ?? 40
    } else if isNamed {
      rank += name.meaning == .time || isOffset ? 100 : 80
      if let unit, !unit.isUsual { rank -= (0.5...250).contains(unit.rate) ? 5 : 50 }
      // Of two clocks, the one at a usual camera rate is more likely the camera's own.
      if let unit, !unit.isOfCameras { rank -= 4 }
    } else {
      rank += unit?.isUsual ?? false ? 60 : 15
    }
    return Clock(candidate: candidate, unit: unit, isCounter: isCounter, rank: rank)
  }

  private func penalty(_ candidate: ClockCandidate) -> Int {
    let growth = candidate.growth
    let faults = growth.isStrict ? 0 : growth.isStrictInStretches ? 3 : 30
    return faults + min(5, candidate.path.steps.count) + (candidate.name.isOfStoring ? 6 : 0)
      + (candidate.time.number == nil ? 0 : 2)
  }

  private func isCounter(_ candidate: ClockCandidate, _ unit: ClockUnit?) -> Bool {
    if let builtIn, builtIn.time.field != nil { return builtIn.time.unit == .frames }
    let (name, growth) = (candidate.name, candidate.growth)
    guard candidate.values.allSatisfy({ $0 == $0.rounded() }), name.unit == nil,
      name.partsOfSecond == nil
    else {
      return name.unit != nil && name.unit != .s && growth.isCount && growth.steps.min() == 1
        && growth.count >= ClockSurvey.fewestNumbers
    }
    let seconds = (candidate.values.first ?? 0) * (unit?.unit.seconds ?? 1)
    let isEpoch = (ClockSurvey.earliestDate...4e9).contains(seconds) && unit?.isUsual ?? false
    let isUsual = unit?.isUsual ?? false
    if name.meaning == .counter { return !isEpoch && (growth.isCount || !isUsual) }
    // Steps this large are ticks of unknown length, not skipped frames.
    if growth.isCount, growth.steps.min() ?? 0 >= Self.mostSkipped { return false }
    if growth.isCount, growth.steps.min() == 1 || !isUsual { return true }
    return name.meaning == .weakCounter && !isUsual
  }

  private func timescale(_ name: ClockName) -> Double? {
    guard name.meaning >= .weakTime, name.unit == nil else { return nil }
    return facts.first { $0.name.hasSuffix("timescale") && !$0.isOfFrame }?.node.number
  }

  private mutating func conclude(_ best: Clock, among clocks: [Clock]) {
    let candidate = best.candidate
    let title = candidate.title
    map.time = candidate.time
    if case .numbers = candidate.reading, let unit = best.unit {
      map.time.unit = unit.unit
      map.time.timescale = unit.timescale.map { .number($0) }
    }
    let others = others(best, clocks)
    switch candidate.reading {
    case .timecode(let framesSeen): return concludeTimecode(best, framesSeen: framesSeen)
    case .date(let hasZone): return finish(best, hasZone: hasZone, others)
    case .numbers, .clock, .pair: break
    }
    let rate = (best.rate ?? 0).tenths
    var evidence = ["the median step is \(Self.short(candidate.growth.steps.median ?? 0))"]
    let isNamed = candidate.name.meaning == .time || builtIn?.time.field != nil
    var certainty = PoseDiagnosis.Certainty.unsure
    var doubts: [String] = []
    if candidate.reading != .numbers {
      certainty = .sure
      evidence = ["as the values are written"]
    } else {
      switch best.unit?.evidence {
      case .name?:
        certainty = best.isUsual ? .sure : .likely
        evidence.append("and the name gives the unit")
      case .file?:
        certainty = .sure
        evidence.append("and the file gives the timescale")
      default:
        let isGuess = best.unit?.timescale != nil
        if isNamed { certainty = best.isUsual && !isGuess ? .sure : .likely }
        let perSecond = best.rate ?? 0
        let isOdd =
          perSecond > Self.rates.upperBound
          || perSecond < Self.rates.lowerBound && best.unit?.unit != .s
        if candidate.name.meaning == .weakTime, best.isUsual { certainty = .likely }
        if candidate.name.meaning >= .weakTime, isOdd, builtIn?.time.field == nil {
          certainty = .unsure
          doubts = ["ticks, with their number per second as `timescale` in the map"]
        }
        if !isNamed, candidate.name.meaning < .weakTime {
          evidence.append("but the name does not suggest times")
          doubts = ["not a clock; then write `rate_hz` instead of `time` in the map"]
        }
      }
    }
    if best.unit?.others.isEmpty == false || !others.isEmpty { certainty = .unsure }
    if candidate.growth.backward > 0 { evidence.append(restarts(candidate)) }
    if let wrap = candidate.wrap {
      evidence.append("it starts again \(wrap.name), and later times continue")
    }
    let isEpoch =
      (candidate.values.first ?? 0) * (best.unit?.unit.seconds ?? 1) > ClockSurvey.earliestDate
    let unitText = best.unitText.isEmpty ? "" : " in \(best.unitText)"
    diagnosis.conclude(
      "time", "\(title)\(unitText), \(rate) frames per second" + (isEpoch ? ", as a date" : ""),
      certainty, evidence.joined(separator: ", "),
      alternatives: (best.unit?.others ?? []) + others + doubts)
    refuseRate(best)
  }

  private mutating func refuseRate(_ best: Clock) {
    guard builtIn?.time.field == nil, let unit = best.unit, unit.evidence != .file,
      let step = best.candidate.growth.steps.median, !Self.believedRates.contains(unit.rate)
    else { return }
    let units: [TableMap.Time.Unit] = [.s, .ms, .us, .ns, .min, .days]
    let likely = units.first { unit in
      unit.seconds.map { ClockUnit.usualRates.contains(1 / (step * $0)) } ?? false
    }
    diagnosis.block(
      "`\(best.path.text)` in \(best.unitText) means \(Self.short(unit.rate)) frames per second",
      "write its unit, \(likely.map { "perhaps `unit: \($0.rawValue)`, " } ?? "")or its number per "
        + "second as `timescale`, under `time` in the map")
  }

  private func restarts(_ candidate: ClockCandidate) -> String {
    "it restarts \(CountText.of(candidate.growth.backward, "time"))"
  }

  private func others(_ best: Clock, _ clocks: [Clock]) -> [String] {
    func duration(_ clock: Clock) -> Double {
      let values = clock.candidate.values
      let unit = clock.unit.map { $0.step * $0.rate } ?? 1
      return ((values.last ?? 0) - (values.first ?? 0)) / (unit == 0 ? 1 : unit)
    }
    let own = duration(best)
    var texts: [String] = []
    if best.candidate.name.isOfStoring, let rate = best.rate, let known = knownRate,
      (known / rate - 1).magnitude > 0.1
    {
      texts.append(
        "\(Self.short(known)) frames per second, which the file says: `rate_hz: "
          + "\(Self.short(known))` without a field of times in the map")
    }
    return texts
      + clocks.filter { clock in
        let isRival =
          clock.candidate.name.meaning >= best.candidate.name.meaning
          && !clock.candidate.name.isOfStoring && !clock.isCounter
        return clock.path != best.path && isRival && clock.isUsual
          && clock.candidate.growth.isStrict && (duration(clock) - own).magnitude > 0.02 * own
      }.prefix(3).map {
        "`\($0.path.text)`, which gives \(Self.short($0.rate ?? 0)) frames per second: "
          + "`time: {field: \($0.path.text), unit: \($0.candidate.time.unit == .s ? $0.unit?.unit.rawValue ?? "s" : $0.candidate.time.unit.rawValue)}` in the map"
      }
  }

  private mutating func concludeCounter(_ best: Clock, _ coarse: CoarseClock?) {
    let title = best.candidate.title
    let rate = knownRate ?? coarse?.rate
    map.time = best.candidate.time
    (map.time.unit, map.time.rate) = (.frames, rate ?? 30)
    // The last number of a text is the default.
    if map.time.number == 1 { map.time.number = nil }
    let growth = best.candidate.growth
    let shortest = growth.steps.min() ?? 1
    let isTime = best.candidate.name.meaning >= .weakTime && best.candidate.name.unit == nil
    let isStepped = growth.isCount && shortest > 1
    let grows =
      "it grows by \(Self.short(shortest))" + (isStepped ? ", so frames were skipped" : "")
    let reason =
      knownRate != nil ? "the file gives the rate" : coarse?.evidence ?? "nothing gives the rate"
    diagnosis.counter = PoseDiagnosis.Counter(title: title, step: isStepped ? shortest : 1)
    diagnosis.conclude(
      "time", "frames counted by \(title), \(rate ?? 30) per second",
      rate == nil ? .unsure : .likely, "\(grows); \(reason)",
      alternatives: (rate == nil ? ["the rate of your camera, as --rate"] : [])
        + (diagnosis.counter?.otherRate(rate ?? 30).map { [$0] } ?? [])
        + (isTime ? ["seconds, with `unit: s` in the map"] : []))
    // Unlike skipped frames, samples of sound do not fit into frames evenly.
    if shortest >= Self.mostSkipped, !growth.isCount {
      diagnosis.block(
        "\(title) grows by about \(Self.short(shortest)) per frame, so it counts something faster "
          + "than frames",
        "divide it by its number per second, such as 44100 for audio samples, and save the result "
          + "as `time`; or write that number in a map: `time: {field: "
          + "\(best.path.text), timescale: 44100}`")
    } else if rate == nil {
      warnRate("\(title) counts frames, but nothing gives the number per second: ")
    }
  }

  private mutating func concludeTimecode(_ best: Clock, framesSeen: Int) {
    let path = best.path.text
    let values = best.candidate.values
    let lasts = (values.last ?? 0) - (values.first ?? 0)
    let usual = [24, 25, 30, 48, 50, 60].first { $0 >= framesSeen && $0 - framesSeen <= 1 }
    let counted = lasts >= 2 ? usual.map(Double.init) : nil
    let known = knownRate.flatMap { Double(framesSeen) <= $0.rounded(.up) ? $0 : nil }
    guard let rate = known ?? counted else {
      map.time.rate = nil
      diagnosis.conclude(
        "time", "`\(path)`, hours:minutes:seconds:frames", .unsure, "as the values are written")
      return diagnosis.block(
        "`\(path)` counts frames within a second, but nothing gives the number per second",
        "add the rate to the file as a field `fps` beside the frames, or save times in seconds")
    }
    map.time.rate = rate
    let exact = known == nil ? [24: 23.976, 30: 29.97, 60: 59.94][rate] : nil
    diagnosis.conclude(
      "time", "`\(path)`, hours:minutes:seconds:frames, \(rate) frames per second",
      exact == nil ? .likely : .unsure,
      known == nil
        ? "frames within a second are numbered up to \(framesSeen - 1)"
        : "the file gives the rate"
          + (rate == rate.rounded()
            ? "" : ", at which \(Int(rate.rounded(.up))) frames are one second of the timecode"),
      alternatives: exact.map { ["\($0) frames per second, as `rate_hz` in the map"] } ?? [])
  }

  private mutating func finish(_ best: Clock, hasZone: Bool, _ others: [String]) {
    let path = best.path.text
    if best.candidate.orderRemark == ClockReading.openOrder {
      map.time.rate = nil
      diagnosis.conclude(
        "time", "dates in `\(path)`", .unsure, ClockReading.openOrder,
        alternatives: ["`unit: dmy` (day first)", "`unit: mdy` (month first)"])
      return diagnosis.block(
        "dates in `\(path)` may have the day or the month first, and the date changes during the "
          + "recording",
        "write `unit: dmy` or `unit: mdy` as the `time` of the map, or save dates as 2026-11-25")
    }
    let rate = (best.rate ?? 0).tenths
    var evidence =
      best.candidate.time.unit == .date ? "as the values are written" : "day and month are numbers"
    if let remark = best.candidate.orderRemark { evidence = remark }
    if best.candidate.growth.backward > 0 { evidence += ", " + restarts(best.candidate) }
    let order = [.dmy: ", day first", .mdy: ", month first"][best.candidate.time.unit] ?? ""
    diagnosis.conclude(
      "time", "dates in `\(path)`\(order), \(rate) frames per second",
      others.isEmpty ? .sure : .unsure, evidence, alternatives: others)
    if !hasZone { nameSummertime(best.candidate) }
  }

  private mutating func nameSummertime(_ candidate: ClockCandidate) {
    let steps = candidate.values.steps
    let usual = steps.median ?? 0
    for (index, step) in steps.enumerated()
    where (step.magnitude - 3600).magnitude < max(1, 3 * usual) {
      return diagnosis.warn(
        "`\(candidate.path.text)` goes \(step < 0 ? "back" : "ahead") by an hour at frame "
          + "\(index + 1), as dates without a zone do when daylight saving time \(step < 0 ? "ends" : "begins")",
        "save dates with their time zone, or in UTC; correct these by an hour from there on")
    }
  }
}
