import PoseModel

struct ColumnName {
  enum Role { case start, end, duration, time }

  let name: String
  var role: Role?
  let unit: LabelUnit?
  /// A unit in the name that is not a unit of time, such as `%` in `Start (%)`.
  let strangeUnit: String?
  private let words: [String]
  private let plain: String

  init(_ name: String, prefix: Int = 0, as role: Role? = nil) {
    self.name = name
    words = LabelWords.words(String(name.dropFirst(prefix)))
    plain = words.joined(separator: " ")
    unit = Self.unit(words)
    strangeUnit = Self.strangeUnit(name, words)
    self.role = role ?? Self.role(words, hasUnit: unit != nil)
  }

  func isNamed(_ name: String) -> Bool { plain == name }

  func twinError(_ twin: ColumnName, _ what: String, _ place: SourcePlace) -> PoseSourceError {
    place.unusable(
      "`\(name)` and `\(twin.name)` are alike, but differ",
      "choose the \(what) to read: --columns \"START,END,LABEL\"; if each row has several labels, "
        + "write a row for each")
  }

  private static func role(_ words: [String], hasUnit: Bool) -> Role? {
    var core = words.filter { word in
      !fillers.contains(word) && !unitWords.contains(word) && !strangeUnits.contains(word)
        && !word.allSatisfy(\.isNumber)
    }
    // A name such as `start time in seconds` has the core `start in`.
    if core.count == 2, core[1] == "in", hasUnit { core.removeLast() }
    guard let word = core.first else {
      // The name consists of fillers and units, such as `time`, `timestamp_ms` or `frame`.
      let isTime = words.contains { timeWords.contains($0) || frameWords.contains($0) }
      if words == ["image"] || words.contains(where: strangeUnits.contains) { return nil }
      return isTime || (words.count == 1 && clockWords.contains(words[0])) ? .time : nil
    }
    guard core.count == 1 else { return nil }
    if starts.contains(word) { return .start }
    // In BORIS, `Time offset (s)` is the start of the clock.
    if word == "offset", words.first != word { return nil }
    if ends.contains(word) { return .end }
    // The length of the video is not that of a label.
    return durations.contains(word) && !words.contains("video") ? .duration : nil
  }

  private static func unit(_ words: [String]) -> LabelUnit? {
    let hasMinutes = words.contains(where: minutes.contains)
    if words.contains("hh")
      || (words.contains("ss") && words.contains { ["m", "mm"].contains($0) })
      || words.contains(where: clocks.contains)
      || (hasMinutes && words.contains(where: seconds.contains))
    {
      return .time
    }
    // A name such as `start (1/100 s)` counts parts of a second.
    if words.contains(where: seconds.contains),
      let part = parts.first(where: { part in
        zip(words, words.dropFirst()).contains { $0 == "1" && $1 == part.key }
      })
    {
      return part.value
    }
    // ELAN's `ss.msec` means seconds with a fraction.
    if words.contains("ss") { return .seconds }
    if let named = units.first(where: { words.contains(where: $0.words.contains) }) {
      return named.unit
    }
    let isFrame = words.contains { word in
      frameWords.contains(word) || word.hasSuffix("frame") || word.hasSuffix("bild")
    }
    return isFrame || words.count > 1 && words.contains(where: samples.contains) ? .frames : nil
  }

  private static func strangeUnit(_ name: String, _ words: [String]) -> String? {
    if let sign = name.first(where: { "%\u{2030}".contains($0) }) { return String(sign) }
    guard unit(words) == nil else { return nil }
    if let start = name.firstIndex(where: { "([".contains($0) }) {
      let inside = name[start...].dropFirst().prefix { !")]".contains($0) }
      let isKnown = LabelWords.words(String(inside)).allSatisfy { word in
        fillers.contains(word) || role([word], hasUnit: false) != nil || word.allSatisfy(\.isNumber)
      }
      if !isKnown { return String(inside) }
    }
    return words.first(where: strangeUnits.contains)
  }

  var isOfParty: Bool {
    let core = words.filter { !["id", "name", "no", "nr", "number", "code", "index"].contains($0) }
    return core.count == 1 && core.allSatisfy(Self.parties.contains)
  }
  var isOfAnnotator: Bool { isOfParty && words.contains(where: Self.annotators.contains) }
  /// Whether the column says something other than how a plank is, or was, in these rows.
  var isOfRemark: Bool { words.contains(where: Self.remarks.contains) }
  /// Whether a number in the column may move the times, or be another time.
  var isOfOtherClock: Bool { words.contains(where: Self.otherClocks.contains) }
  var isOfUnit: Bool { ["unit", "units", "time unit", "time units", "timeunit"].contains(plain) }
  var isOfOffset: Bool { words.contains("offset") }
  var isOfClipStart: Bool {
    words.contains(where: Self.clips.contains) && words.contains(where: Self.starts.contains)
  }
  var countsSamples: Bool { unit == .frames && words.contains(where: Self.samples.contains) }
  /// Whether times have minutes, seconds and frames, and no hours.
  var endsInFrames: Bool {
    words.contains("mm") && words.contains("ff") && !words.contains { $0 == "hh" || $0 == "h" }
  }
  var isOfLastFrame: Bool { words.contains("last") }
  var isOfTime: Bool { words.contains(where: Self.timeWords.contains) }
  var isOfRange: Bool {
    words.contains {
      ["segment", "timestamps", "timespan", "interval", "range", "bin", "time", "frames"]
        .contains($0)
    }
  }

  private static let remarks: Set = [
    "previous", "prior", "before", "last", "old", "next", "after", "expected", "planned", "goal",
    "cue", "instruction", "predicted", "prediction", "suggested", "comment", "comments",
    "note", "notes", "remark", "remarks",
  ]
  private static let clips: Set = ["clip", "segment", "chunk", "window"]
  private static let otherClocks = timeWords.union(starts).union(clips).union([
    "offset", "shift", "delay", "lag", "origin", "sync", "speed",
  ])
  private static let annotators: Set = [
    "observer", "annotator", "coder", "rater", "labeler", "labeller", "reviewer",
  ]
  private static let parties = annotators.union([
    "subject", "participant", "person", "athlete", "patient", "player", "user", "actor", "session",
    "trial", "take", "rec", "recording", "video", "clip", "sequence", "camera", "cam",
  ])
  static let starts: Set = [
    "start", "first", "begin", "from", "onset", "starts", "beginning", "starting", "in", "tmin",
    "t0", "starttime", "startframe", "begintime", "startsec", "starttimestamp", "tstart", "anfang",
    "beginn", "startbild", "von", "inicio", "desde", "início", "inizio", "début", "debut", "начало",
    "开始", "開始",
  ]
  static let ends: Set = [
    "end", "last", "stop", "to", "until", "offset", "finish", "ends", "ending", "out", "tmax",
    "till", "t1", "endtime", "endframe", "stoptime", "stopframe", "endsec", "endtimestamp", "tend",
    "ende", "endbild", "bis", "fin", "hasta", "fim", "fine", "einde", "slut", "конец",
    "结束", "終了",
  ]
  private static let durations: Set = [
    "duration", "dur", "length", "len", "dauer", "durée", "duración", "duração", "durata",
  ]
  private static let timeWords: Set = [
    "time", "times", "timestamp", "timestamps", "timecode", "tc", "t", "smpte", "zeit", "temps",
    "tiempo", "tijd", "время", "时间", "時間",
  ]
  private static let frameWords: Set = [
    "frame", "frames", "frameno", "framenumber", "image", "frameid", "frameindex",
  ]
  private static let parts: [String: LabelUnit] = [
    "10": .deciseconds, "100": .centiseconds, "1000": .milliseconds,
  ]
  private static let seconds: Set = [
    "s", "sec", "secs", "second", "seconds", "sf", "sek", "sekunde", "sekunden", "secondes",
    "segundos", "secondi",
  ]
  static let minutes: Set = ["min", "mins", "minute", "minutes", "minuten", "minutos", "minuti"]
  private static let clocks: Set = [
    "hms", "hhmmss", "hmmss", "mmss", "mss", "hhmm", "hmm", "mmssff", "hhmmssff",
  ]
  private static let strangeUnits: Set = [
    "pct", "percent", "percentage", "perc", "prozent", "share", "fraction", "normalized",
    "normalised", "norm", "m", "mm", "tick", "ticks", "beat", "beats",
  ]
  private static let samples: Set = ["sample", "samples"]
  private static let units: [(unit: LabelUnit, words: Set<String>)] = [
    (.milliseconds, ["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"]),
    (.microseconds, ["us", "usec", "usecs", "microsecond", "microseconds"]),
    (.nanoseconds, ["ns", "nsec", "nsecs", "nanosecond", "nanoseconds"]),
    (.seconds, seconds), (.minutes, minutes), (.hours, ["h", "hr", "hrs", "hour", "hours"]),
    (.centiseconds, ["cs", "csec", "centisec", "centisecs", "centisecond", "centiseconds"]),
    (.deciseconds, ["ds", "dsec", "decisec", "decisecond", "deciseconds", "tenths"]),
  ]

  static func words(of unit: LabelUnit) -> Set<String> {
    units.first { $0.unit == unit }?.words ?? []
  }

  private static let clockWords: Set<String> = units.prefix(4).map(\.words)
    .reduce(["hh", "mm", "ss", "ff"]) { $0.union($1) }
  private static let unitWords = units.map(\.words).reduce(clockWords.union(samples)) {
    $0.union($1)
  }.union(clocks)
  private static let fillers = timeWords.union(frameWords).union([
    "segment", "event", "label", "interval", "at", "of", "the", "action", "annotation", "number",
    "no", "nr", "id", "index", "idx", "position", "pos", "activity", "video", "relative", "range",
    "plank", "timespan", "bin",
  ])
}

extension [ColumnName] {
  /// Returns the first column of each name that some column has, in the order of the names.
  func indices(named names: [String]) -> [Int] {
    names.compactMap { name in firstIndex { $0.isNamed(name) } }
  }
}

struct LabelColumns {
  enum Times: Equatable {
    case segments(start: Int, end: Int)
    case durations(start: Int, duration: Int)
    case moments(Int)
    case rows

    var columns: [Int] {
      switch self {
      case .segments(let start, let end), .durations(let start, let end): [start, end]
      case .moments(let time): [time]
      case .rows: []
      }
    }
  }

  let fields: [ColumnName]
  let times: Times
  let label: Int
  let form: Int?
  /// Columns that are named for a form and marked where a label has it.
  let formMarks: [Int]
  /// Columns with remarks on a segment, such as BORIS' modifiers, which may name its form.
  let remarks: [Int]
  let parties: [Int]
  let recordings: [Int]
  let tier: Int?
  let rate: Int?
  /// Columns that say which rows their annotators took back.
  let verdicts: [Int]

  static let usualLabels = [
    "label", "class", "plank", "text", "behavior", "behaviour", "activity", "action", "annotation",
    "pose", "posture", "exercise", "labels", "class name", "classname", "label name",
    "activity name", "action name", "trial type", "timelinelabels", "annotation value", "event",
    "state", "category", "tag", "name", "value", "code", "title", "marker name", "marker", "type",
    "klasse", "bezeichnung", "übung", "etiqueta", "clase", "rótulo", "classe", "étiquette",
    "etichetta", "метка", "标签", "ラベル",
  ]
  static let usualRecordings = [
    "recording", "sequence", "observation id", "video", "video name", "video id", "youtube id",
    "clip", "clip name", "file", "filename", "file name", "video file", "media", "media file",
    "media file name", "media file path", "recording name", "video path", "video filename",
    "observation", "aufnahme",
  ]
  private static let usualRemarks = ["modifiers", "modifier", "modifier 1", "modifier 2"]
  static let usualTiers = ["tier", "tier name", "track"]
  static let usualRates = ["fps", "frame rate", "framerate", "media fps"]
  static let usualForms = ["form", "quality", "form class"]

  init?(
    _ names: [String], wanted: SegmentColumns, place: SourcePlace, rows: [[Substring]] = []
  ) throws {
    let prefix = Self.prefix(of: names)
    let columns = names.map { ColumnName($0, prefix: prefix) }
    func named(_ name: String?) throws -> Int? {
      guard let name else { return nil }
      let found = names.indices.filter { names[$0].lowercased() == name.lowercased() }
      guard found.count < 2 else { throw PoseSourceError.repeatedColumn(place, column: name) }
      return found.first
    }
    func contains(_ column: Int, only test: (Substring) -> Bool) -> Bool {
      let values = rows.map { $0[column] }.filter { !$0.isEmpty }
      return !values.isEmpty && values.allSatisfy(test)
    }
    func numbersRows(_ column: Int) -> Bool {
      let numbers = rows.map { Int($0[column]) }
      return numbers.count > 2
        && zip(numbers.dropFirst(), numbers).allSatisfy { next, own in
          own.map { $0 + 1 == next } ?? false
        }
    }
    func isForm(_ column: Int) -> Bool {
      LabelWords.areForms(rows.map { String($0[column]) }.filter { !$0.isEmpty })
    }
    let start = try named(wanted.start)
    let end = try named(wanted.end)
    let wantedLabel = try named(wanted.label)
    guard (start == nil) == (wanted.start == nil), (end == nil) == (wanted.end == nil),
      (wantedLabel == nil) == (wanted.label == nil)
    else { return nil }
    var taken: [Int] = []
    if let start, let end {
      let isDuration = columns[end].role == .duration
      times =
        isDuration ? .durations(start: start, duration: end) : .segments(start: start, end: end)
      taken = [start, end]
    } else {
      let pair =
        try Self.pair(columns, .start, rows, place) ?? Self.timeAndDuration(columns, rows, place)
      times = pair ?? Self.moment(columns).map { .moments($0) } ?? .rows
      try Self.requireNoTwins(of: times, columns, rows, place)
    }
    let labels = columns.indices(named: Self.usualLabels)
    guard
      let found = wantedLabel
        ?? labels.first(where: { contains($0) { LabelWords.target(String($0)) != nil } })
        ?? labels.first(where: { contains($0) { _ in true } }) ?? labels.first
        ?? Self.onlyOther(columns, taken, isForm: isForm)
    else {
      guard columns.contains(where: { $0.role == .start }), case .segments = times else {
        return nil
      }
      throw PoseSourceError.noLabelColumn(
        place, expected: Array(Self.usualLabels.prefix(8)), columns: names,
        option: LabelGuess(rows, labels: LabelMap()).option(names))
    }
    label = found
    _ = try named(names[found])
    let isLabel = { [label] (column: Int) in column == label }
    recordings = columns.indices(named: Self.usualRecordings).filter {
      !isLabel($0) && !numbersRows($0)
    }
    remarks = columns.indices(named: Self.usualRemarks).filter { !isLabel($0) }
    if let name = wanted.form, try named(name) == nil {
      throw place.unexpected(
        "the header", "without `\(name)`", "the name of the column with forms")
    }
    let others = columns.indices.filter { column in
      !isLabel(column) && columns[column].role == nil && !columns[column].isOfRemark
    }
    form =
      try named(wanted.form)
      ?? columns.indices(named: Self.usualForms).first {
        !columns[$0].isNamed("quality") || !contains($0) { Double(decimal: $0) != nil }
      }
      ?? others.first(where: isForm)
    formMarks = others.filter { [form] column in
      form == nil && LabelWords.form(names[column]) != nil
        && contains(column) { LabelShapes.mark($0) != nil }
    }
    let other = [label, form ?? label] + recordings + formMarks
    parties = columns.indices.filter {
      columns[$0].isOfParty && !other.contains($0) && !numbersRows($0)
    }
    tier = columns.indices(named: Self.usualTiers).first
    rate = columns.indices(named: Self.usualRates).first
    verdicts = columns.indices.filter { !other.contains($0) && LabelReview.isVerdict(columns[$0]) }
    fields = columns
  }

  init(_ times: Times, label: Int, of names: [String]) {
    fields = names.map { ColumnName($0) }
    self.times = times
    self.label = label
    (form, tier, rate) = (nil, nil, nil)
    (remarks, parties, recordings, verdicts, formMarks) = ([], [], [], [], [])
  }

  var names: [String] { fields.map(\.name) }

  var unit: LabelUnit? { timeColumns.lazy.compactMap { fields[$0].unit }.first }

  private var read: Set<Int> {
    Set(
      timeColumns + [label] + remarks + parties + recordings + verdicts + formMarks
        + [form, tier, rate].compactMap(\.self))
  }

  var unread: [Int] { fields.indices.filter { !read.contains($0) && fields[$0].role == nil } }

  /// Columns that are not read, although their names suggest times; columns with the same times in
  /// another unit are left out.
  var otherClocks: [Int] {
    let units = timeColumns.map { fields[$0].unit }
    return fields.indices.filter { column in
      !read.contains(column) && fields[column].isOfOtherClock
        && (fields[column].role == nil || units.contains(fields[column].unit))
    }
  }

  func mayHaveLengths(in rows: [[Substring]]) -> Bool {
    guard case .segments(let start, let end) = times else { return false }
    let pairs = rows.map { (RawTime($0[start])?.rank ?? 0, RawTime($0[end])?.rank ?? 0) }
    return pairs.contains { $0.0 > 0 }
      && zip(pairs, pairs.dropFirst()).allSatisfy { $0.0 + $0.1 <= $1.0 }
  }

  private static func prefix(of names: [String]) -> Int {
    guard names.count > 1, let point = names[0].firstIndex(of: ".") else { return 0 }
    let start = names[0][...point]
    return names.allSatisfy { $0.hasPrefix(start) && $0.count > start.count } ? start.count : 0
  }

  private static let preferred: [LabelUnit?] = [
    .seconds, nil, .time, .milliseconds, .microseconds, .nanoseconds, .minutes, .hours,
    .centiseconds, .deciseconds, .frames,
  ]

  static func units(beside unit: LabelUnit?) -> [LabelUnit?] {
    unit.map { unit in [unit, nil] + preferred.filter { $0 != unit && $0 != nil } } ?? preferred
  }

  private static func pair(
    _ columns: [ColumnName], _ role: ColumnName.Role, _ rows: [[Substring]], _ place: SourcePlace
  ) throws -> Times? {
    func column(_ role: ColumnName.Role, _ unit: LabelUnit?) throws -> Int? {
      let all = columns.indices.filter { columns[$0].role == role && columns[$0].unit == unit }
      let plain = all.filter { columns[$0].strangeUnit == nil }
      let found = plain.isEmpty ? all : plain
      let names = found.map { columns[$0].name.lowercased() }
      if let first = found.first, names.count > Set(names).count {
        throw PoseSourceError.repeatedColumn(place, column: columns[first].name)
      }
      return found.first
    }
    for unit in preferred {
      guard let start = try column(role, unit) else { continue }
      if let end = try column(.end, unit) { return .segments(start: start, end: end) }
      if let length = try column(.duration, unit) {
        return .durations(start: start, duration: length)
      }
    }
    // The units differ: often one name has none, as in `start (s)` and `end`.
    guard let start = columns.firstIndex(where: { $0.role == role }) else { return nil }
    if let end = columns.firstIndex(where: { $0.role == .end }) {
      return .segments(start: start, end: end)
    }
    guard let length = columns.firstIndex(where: { $0.role == .duration }) else { return nil }
    let (own, other) = (columns[start].unit, columns[length].unit)
    let isClock =
      !rows.isEmpty
      && rows.allSatisfy { row in RawTime(row[start]).map { $0.number == nil } ?? false }
    guard isClock || (other == nil ? own == .seconds : own != nil || other?.seconds ?? 0 <= 1)
    else {
      throw place.unexpected(
        "the header",
        "`\(columns[start].name)` and `\(columns[length].name)`, of which only one has a unit",
        "names with the units, such as start_s and duration_min")
    }
    return .durations(start: start, duration: length)
  }

  private static func requireNoTwins(
    of times: Times, _ columns: [ColumnName], _ rows: [[Substring]], _ place: SourcePlace
  ) throws {
    func isConstant(_ column: Int) -> Bool {
      rows.count > 1 && Set(rows.map { $0[column] }).count == 1
    }
    for column in times.columns where columns[column].role != .time {
      let (own, isFixed) = (columns[column], isConstant(column))
      let twin = columns.indices.first { other in
        other != column && columns[other].role == own.role && columns[other].unit == own.unit
          && columns[other].strangeUnit == own.strangeUnit && (isFixed || !isConstant(other))
          && rows.contains { $0[other] != $0[column] && RawTime($0[other]) != nil }
      }
      guard let twin else { continue }
      throw own.twinError(columns[twin], "columns", place)
    }
  }

  private static func timeAndDuration(
    _ columns: [ColumnName], _ rows: [[Substring]], _ place: SourcePlace
  ) throws -> Times? {
    guard case .durations(let time, let length)? = try pair(columns, .time, rows, place),
      Set(rows.map { $0[length] }).count > 1,
      !columns.indices.contains(where: { column in
        rows.allSatisfy { LabelEvents.Kind($0[column]) != nil }
      })
    else { return nil }
    return .durations(start: time, duration: length)
  }

  private static func moment(_ columns: [ColumnName]) -> Int? {
    // Alone, `offset` and `t1` may be times of any kind.
    [ColumnName.Role.time, .start, .end].lazy.flatMap { role in
      preferred.compactMap { unit in
        columns.firstIndex {
          $0.role == role && $0.unit == unit
            && (role != .end || !$0.isOfOffset && !$0.isNamed("t1"))
        }
      }
    }.first
  }

  private static func onlyOther(
    _ columns: [ColumnName], _ taken: [Int], isForm: (Int) -> Bool
  ) -> Int? {
    guard columns.contains(where: { $0.role == .start }) || !taken.isEmpty else { return nil }
    let others = columns.indices.filter { index in
      columns[index].role == nil && !taken.contains(index)
        && !usualRecordings.contains { columns[index].isNamed($0) }
        && !columns[index].isOfParty
        && !(usualTiers + usualRates + usualForms).contains { columns[index].isNamed($0) }
        && !columns[index].name.isEmpty && !isForm(index)
    }
    return others.count == 1 ? others.first : nil
  }

  var timeColumns: [Int] { times.columns }

  /// Returns, for each column of seconds that has one, the column of whole minutes, such as
  /// `start_min` for `start_sec`.
  func minutes(in rows: [[Substring]]) -> [Int: Int] {
    var minutes: [Int: Int] = [:]
    for column in timeColumns where fields[column].unit == .seconds {
      let role = fields[column].role
      let other = fields.firstIndex { $0.unit == .minutes && $0.role == role }
      guard let other, role != .time else { continue }
      let pairs = rows.compactMap { fields in
        Double(decimal: fields[other]).flatMap { minute in
          Double(decimal: fields[column]).map { (minute: minute, second: $0) }
        }
      }
      let isSame = pairs.allSatisfy { ($0.minute * 60 - $0.second).magnitude < 1 }
      let areParts = pairs.allSatisfy { $0.minute == $0.minute.rounded() && $0.second < 60 }
      if !isSame, areParts { minutes[column] = other }
    }
    return minutes
  }
}
