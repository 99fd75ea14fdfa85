import PoseModel
import PoseRecording

/// Values of a field that may be times, as one way of reading finds them.
struct ClockCandidate {
  enum Reading: Hashable {
    /// Numbers, also within texts: their unit is to be found.
    case numbers
    /// Texts such as `00:07.367`, in seconds.
    case clock
    /// Texts such as `00:00:07:11`; values count seconds and shares of one.
    case timecode(framesSeen: Int)
    case date(hasZone: Bool)
    /// Values of two fields, in seconds.
    case pair
  }

  var time: TableMap.Time
  let name: ClockName
  let reading: Reading
  /// Of the frames that have the field.
  let values: [Double]
  /// Why a date may be read in another order; nil where it cannot.
  var orderRemark: String?

  var path: FieldPath { time.field ?? FieldPath() }
  /// What has the times, for messages.
  var title: String { time.source ?? "" }
  var growth: ClockGrowth { ClockGrowth(values) }
}

/// How times follow each other.
struct ClockGrowth {
  let count: Int
  let repeated: Int
  let backward: Int
  /// Steps up, in the order of frames.
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

  /// From frame to frame, without an exception.
  var isStrict: Bool { count > 1 && repeated == 0 && backward == 0 }
  /// From frame to frame, but for a clock that starts again a few times.
  var isStrictInStretches: Bool {
    count > 1 && repeated == 0 && backward <= Self.mostRestarts && isInStretches
  }
  /// With few exceptions, which an import has to name.
  var isUsual: Bool { count > 1 && steps.count * 20 >= (count - 1) * 19 }

  /// Whole numbers whose steps are multiples of the shortest, which is common: a count with holes.
  var isCount: Bool {
    guard let shortest = steps.min(), shortest >= 1 else { return false }
    let isMultiple = steps.allSatisfy { $0.truncatingRemainder(dividingBy: shortest) == 0 }
    return isMultiple && steps.count { $0 == shortest } * 5 >= steps.count
  }
}

/// Reads the fields of frames in all ways in which times are written.
struct ClockReading {
  let frames: [JSONNode]
  let hasPose: [Bool]
  /// Whether a frame has exactly the pose of the one before.
  var repeatsPose: [Bool] = []

  /// A frame that repeats the time and the pose of the one before says nothing, and import leaves it
  /// out where the clock grows without it.
  func candidate(_ path: FieldPath) -> ClockCandidate? {
    guard let whole = read(path) else { return nil }
    guard whole.growth.repeated > 0, repeatsPose.count == frames.count else { return whole }
    var reader = FieldReader(path)
    let nodes = frames.map { reader.field(of: $0)?.content }
    let kept = frames.indices.filter {
      $0 == 0 || !repeatsPose[$0] || nodes[$0] != nodes[$0 - 1]
    }
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
    let texts = nodes.compactMap { $0.ownText.flatMap { ClockText($0) } }
    guard texts.count == nodes.count else { return digits(path, name, nodes) }
    if texts.allSatisfy({ $0.kind == .number }) {
      return numbers(path, name, texts.map(\.value))
    }
    if texts.allSatisfy({ $0.kind == .date }) {
      return dates(path, name, nodes, isPacked: false)
    }
    let isTimecode = texts.contains { $0.kind == .timecode }
    guard texts.allSatisfy({ $0.kind != .date && $0.kind != .number || $0.value == 0 }) else {
      return digits(path, name, nodes)
    }
    let most = texts.compactMap(\.frames).max() ?? 0
    var values: [Double] = []
    var days = 0.0
    var last = 0.0
    for text in texts {
      guard let value = text.seconds(rate: Double(most + 1)) else { return nil }
      if ClockText.isMidnight(from: last, to: value) { days += ClockText.day }
      last = value
      values.append(value + days)
    }
    return ClockCandidate(
      time: TableMap.Time(field: path, unit: .clock), name: name,
      reading: isTimecode ? .timecode(framesSeen: most + 1) : .clock, values: values)
  }

  /// Of a field with a second one: parts of a second, or what is added to whole seconds.
  func pair(_ path: FieldPath, timescale: FieldPath) -> ClockCandidate? {
    guard let numbers = nodes(path), let scales = nodes(timescale), numbers.count == scales.count
    else { return nil }
    var values: [Double] = []
    for (node, scale) in zip(numbers, scales) {
      guard let number = node.number, let parts = scale.number, parts >= 1, number.isFinite else {
        return nil
      }
      values.append(number / parts)
    }
    var time = TableMap.Time(field: path)
    time.timescale = .field(timescale)
    return ClockCandidate(time: time, name: Self.name(path), reading: .pair, values: values)
  }

  func pair(
    _ path: FieldPath, fraction: FieldPath, unit: TableMap.Time.Unit
  ) -> ClockCandidate? {
    guard let wholes = nodes(path), let parts = nodes(fraction), wholes.count == parts.count,
      let seconds = unit.seconds
    else { return nil }
    var values: [Double] = []
    for (whole, part) in zip(wholes, parts) {
      guard let number = whole.number, number == number.rounded(), let rest = part.number,
        (0..<1).contains(rest * seconds)
      else { return nil }
      values.append(number + rest * seconds)
    }
    // A part that never changes is a timescale, or belongs to another field.
    guard Set(parts.map(\.number)).count > 1 else { return nil }
    var time = TableMap.Time(field: path)
    (time.fraction, time.fractionUnit) = (fraction, unit)
    return ClockCandidate(time: time, name: Self.name(path), reading: .pair, values: values)
  }

  /// `stamp.value` is called by both words.
  private static func name(_ path: FieldPath) -> ClockName {
    let own = ClockName(path.lastKey)
    guard own.meaning < .time else { return own }
    let whole = ClockName(path.text)
    return whole.meaning > own.meaning ? whole : own
  }

  /// The field of all frames; nil where more than a few are without it, or one with a pose.
  func nodes(_ path: FieldPath) -> [JSONNode]? {
    var reader = FieldReader(path)
    var nodes: [JSONNode] = []
    var missing = 0
    for (index, frame) in frames.enumerated() {
      if let node = reader.field(of: frame), !node.isEmpty, node.number?.isNaN != true {
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
    return ClockCandidate(
      time: TableMap.Time(field: path), name: name, reading: .numbers, values: values)
  }

  /// A number within texts: the last one that grows.
  private func digits(_ path: FieldPath, _ name: ClockName, _ nodes: [JSONNode]) -> ClockCandidate?
  {
    let texts = nodes.compactMap(\.ownText)
    guard texts.count == nodes.count else { return nil }
    for number in 1...4 {
      for withFraction in [true, false] {
        let values = texts.compactMap {
          NumberedText.number(of: $0, fromEnd: number, withFraction: withFraction)
        }
        guard values.count == texts.count, ClockGrowth(values).isStrict else { continue }
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
    var texts: [ClockText] = []
    for node in nodes {
      guard case .text(let text) = node.content, let clock = ClockText(text, isDate: true),
        clock.kind == .date
      else { return nil }
      texts.append(clock)
    }
    var time = TableMap.Time(field: path, unit: .date)
    var order: ClockText.DateOrder?
    var remark: String?
    let isOpen = texts.contains { if case .open? = $0.day { true } else { false } }
    if isOpen {
      (order, remark) = Self.order(of: texts)
      time.unit = order == .monthFirst ? .mdy : .dmy
    }
    let values = texts.compactMap { $0.seconds(order: order) }
    guard values.count == texts.count else { return nil }
    if isPacked, !ClockGrowth(values).isStrictInStretches { return nil }
    return ClockCandidate(
      time: time, name: name, reading: .date(hasZone: texts.allSatisfy { $0.zone != nil }),
      values: values, orderRemark: remark)
  }

  static let openOrder = "the day may be the first or the second number"

  /// The order in which all texts are days, and in which a day follows the one before.
  private static func order(of texts: [ClockText]) -> (ClockText.DateOrder?, remark: String?) {
    let readings = [ClockText.DateOrder.dayFirst, .monthFirst].map { order in
      (order, texts.compactMap { $0.seconds(order: order) })
    }
    let possible = readings.filter { $0.1.count == texts.count }
    guard possible.count == 2 else { return (possible.first?.0, nil) }
    let days = Set(texts.map { $0.days(.dayFirst) })
    if days.count == 1 {
      return (.dayFirst, "the day is the same in all frames, so that the order does not matter")
    }
    let smooth = possible.filter { reading in
      zip(reading.1.dropFirst(), reading.1).allSatisfy { ($0 - $1).magnitude < ClockText.day }
    }
    guard smooth.count == 1, let one = smooth.first else { return (.dayFirst, openOrder) }
    return (one.0, "in the other order, days would be missing at midnight")
  }
}
