/// What a column's name says: its words, its unit, and what it holds.
struct ColumnName {
  enum Role { case start, end, duration, time }

  let name: String
  let role: Role?
  let unit: LabelUnit?
  private let words: [String]
  private let plain: String

  init(_ name: String) {
    self.name = name
    words = LabelWords.words(name)
    plain = words.joined(separator: " ")
    unit = Self.unit(words)
    let core = words.filter { !Self.fillers.contains($0) && !Self.unitWords.contains($0) }
    role = Self.role(core, words)
  }

  /// `name` is in lowercase words.
  func isNamed(_ name: String) -> Bool { plain == name }

  private static func role(_ core: [String], _ words: [String]) -> Role? {
    guard let word = core.first else {
      // Only fillers and units: `time`, `timestamp_ms`, `frame`.
      let isTime = words.contains { timeWords.contains($0) || frameWords.contains($0) }
      if words == ["image"] { return nil }
      return isTime || (words.count == 1 && unitWords.contains(words[0])) ? .time : nil
    }
    guard core.count == 1 else { return nil }
    if starts.contains(word) { return .start }
    // BORIS' `Time offset (s)` is where its clock starts.
    if word == "offset", words.first != word { return nil }
    if ends.contains(word) { return .end }
    if durations.contains(word) { return .duration }
    return words == ["t"] ? .time : nil
  }

  private static func unit(_ words: [String]) -> LabelUnit? {
    if words.contains("hh") || (words.contains("mm") && words.contains("ss")) { return .time }
    // ELAN's `ss.msec` is seconds with a fraction.
    if words.contains("ss") { return .seconds }
    if words.contains(where: milliseconds.contains) { return .milliseconds }
    if words.contains(where: seconds.contains) { return .seconds }
    let isFrame = words.contains { frameWords.contains($0) || $0.hasSuffix("frame") }
    return isFrame ? .frames : nil
  }

  private static let starts: Set = [
    "start", "begin", "from", "onset", "starts", "beginning", "starting", "in", "tmin",
    "starttime", "startframe", "begintime", "startsec", "starttimestamp", "tstart",
  ]
  private static let ends: Set = [
    "end", "stop", "to", "until", "offset", "finish", "ends", "ending", "out", "tmax", "till",
    "endtime", "endframe", "stoptime", "stopframe", "endsec", "endtimestamp", "tend",
  ]
  private static let durations: Set = ["duration", "dur", "length"]
  private static let timeWords: Set = [
    "time", "times", "timestamp", "timestamps", "timecode", "tc",
  ]
  private static let frameWords: Set = [
    "frame", "frames", "frameno", "framenumber", "image", "frameid", "frameindex",
  ]
  private static let milliseconds: Set = [
    "ms", "msec", "msecs", "millis", "millisecond", "milliseconds",
  ]
  private static let seconds: Set = ["s", "sec", "secs", "second", "seconds"]
  private static let unitWords = milliseconds.union(seconds).union(["hh", "mm", "ss", "ff"])
  private static let fillers = timeWords.union(frameWords).union([
    "segment", "event", "label", "interval", "at", "of", "the", "action", "annotation", "number",
    "no", "nr", "id", "index", "idx", "position", "pos", "activity", "video", "relative",
  ])
}

/// Which columns of a table hold what.
struct LabelColumns {
  enum Times: Equatable {
    case segments(start: Int, end: Int)
    case durations(start: Int, duration: Int)
    /// One time per row: labels of frames, or events that start and stop.
    case moments(Int)
    /// Nothing but a label: every row is a frame.
    case rows
  }

  let names: [String]
  let times: Times
  let label: Int
  let form: Int?
  /// Columns that name the recording, first what names it best.
  let recordings: [Int]
  let tier: Int?
  let rate: Int?
  let unit: LabelUnit?

  static let usualLabels = [
    "label", "class", "plank", "text", "behavior", "behaviour", "activity", "action", "annotation",
    "pose", "posture", "exercise", "labels", "class name", "label name", "activity name",
    "action name", "trial type", "timelinelabels", "annotation value", "event", "state", "category",
    "tag", "name", "value", "code",
  ]
  static let usualRecordings = [
    "recording", "sequence", "observation id", "video", "video name", "video id", "clip",
    "clip name", "file", "filename", "file name", "video file", "media", "media file",
    "media file name", "media file path", "recording name", "video path", "video filename",
  ]
  private static let usualTiers = ["tier", "tier name", "track"]
  private static let usualRates = ["fps", "frame rate", "framerate", "media fps"]
  private static let usualForms = ["form", "quality", "form class"]

  /// Nil for names that are no header of labels; throws for a header that lacks what it needs.
  init?(_ names: [String], wanted: SegmentColumns, place: SourcePlace) throws {
    let columns = names.map { ColumnName($0) }
    func named(_ name: String?) throws -> Int? {
      guard let name else { return nil }
      let found = names.indices.filter { names[$0].lowercased() == name.lowercased() }
      guard found.count < 2 else { throw PoseSourceError.repeatedColumn(place, column: name) }
      return found.first
    }
    func usual(_ list: [String]) throws -> Int? {
      for name in list {
        guard let found = columns.firstIndex(where: { $0.isNamed(name) }) else { continue }
        return try named(names[found])
      }
      return nil
    }
    let start = try named(wanted.start)
    let end = try named(wanted.end)
    let label = try named(wanted.label)
    guard (start == nil) == (wanted.start == nil), (end == nil) == (wanted.end == nil),
      (label == nil) == (wanted.label == nil)
    else { return nil }
    var taken: [Int] = []
    if let start, let end {
      if let one = columns[start].unit, let other = columns[end].unit, one != other,
        one != .time, other != .time
      {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "the header",
          found: "`\(names[start])` and `\(names[end])`, which have two units",
          allowed: "a start and an end in one unit: choose other columns with --columns")
      }
      let isDuration = columns[end].role == .duration
      times =
        isDuration ? .durations(start: start, duration: end) : .segments(start: start, end: end)
      unit = columns[start].unit
      taken = [start, end]
    } else if let pair = try Self.pair(columns, place) {
      times = pair
      unit = Self.unit(of: pair, columns)
    } else if let time = Self.moment(columns) {
      times = .moments(time)
      unit = columns[time].unit
    } else {
      times = .rows
      unit = nil
    }
    let hasTimes = columns.contains { $0.role == .start }
    if let label {
      self.label = label
    } else if let usual = try usual(Self.usualLabels) {
      self.label = usual
    } else if let only = Self.onlyOther(columns, taken) {
      self.label = only
    } else {
      guard hasTimes, case .segments = times else { return nil }
      throw PoseSourceError.noLabelColumn(
        place, expected: Array(Self.usualLabels.prefix(8)), columns: names)
    }
    form =
      try wanted.form.map { name in
        guard let form = try named(name) else {
          throw PoseSourceError.unexpectedValue(
            file: place.description, path: "the header", found: "without `\(name)`",
            allowed: "the name of the column with forms")
        }
        return form
      } ?? usual(Self.usualForms)
    recordings = Self.usualRecordings.compactMap { name in
      columns.firstIndex { $0.isNamed(name) }
    }.filter { [label = self.label] in $0 != label }
    tier = try usual(Self.usualTiers)
    rate = try usual(Self.usualRates)
    self.names = names
  }

  /// Columns by their numbers from 1, for a table without a header.
  init(start: Int, end: Int, label: Int, of names: [String]) {
    self.names = names
    times = .segments(start: start, end: end)
    self.label = label
    (form, recordings, tier, rate, unit) = (nil, [], nil, nil, nil)
  }

  static let preferred: [LabelUnit?] = [.seconds, nil, .time, .milliseconds, .frames]

  /// Of several columns with starts, those in seconds, then those without a unit.
  private static func pair(_ columns: [ColumnName], _ place: SourcePlace) throws -> Times? {
    func column(_ role: ColumnName.Role, _ unit: LabelUnit?) throws -> Int? {
      let found = columns.indices.filter { columns[$0].role == role && columns[$0].unit == unit }
      let names = found.map { columns[$0].name.lowercased() }
      if let first = found.first, names.count > Set(names).count {
        throw PoseSourceError.repeatedColumn(place, column: columns[first].name)
      }
      return found.first
    }
    for unit in preferred {
      guard let start = try column(.start, unit) else { continue }
      if let end = try column(.end, unit) { return .segments(start: start, end: end) }
      if let length = try column(.duration, unit) {
        return .durations(start: start, duration: length)
      }
    }
    // One of the two names no unit: `start (s)` and `end`.
    guard let start = columns.firstIndex(where: { $0.role == .start }),
      let end = columns.firstIndex(where: { $0.role == .end }),
      columns[start].unit == nil || columns[end].unit == nil
    else { return nil }
    return .segments(start: start, end: end)
  }

  private static func moment(_ columns: [ColumnName]) -> Int? {
    preferred.lazy.compactMap { unit in
      columns.firstIndex { $0.role == .time && $0.unit == unit }
    }.first
  }

  private static func unit(of times: Times, _ columns: [ColumnName]) -> LabelUnit? {
    switch times {
    case .segments(let start, let end), .durations(let start, let end):
      columns[start].unit ?? columns[end].unit
    case .moments(let time): columns[time].unit
    case .rows: nil
    }
  }

  private static func onlyOther(_ columns: [ColumnName], _ taken: [Int]) -> Int? {
    guard columns.contains(where: { $0.role == .start }) || !taken.isEmpty else { return nil }
    let others = columns.indices.filter { index in
      columns[index].role == nil && !taken.contains(index)
        && !usualRecordings.contains { columns[index].isNamed($0) }
        && !(usualTiers + usualRates + usualForms).contains { columns[index].isNamed($0) }
        && !columns[index].name.isEmpty
    }
    return others.count == 1 ? others.first : nil
  }

  var timeColumn: Int? {
    switch times {
    case .segments(let start, _), .durations(let start, _): start
    case .moments(let time): time
    case .rows: nil
    }
  }
}
