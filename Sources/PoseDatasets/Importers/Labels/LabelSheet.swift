import PoseModel

enum RawTime: Hashable, Sendable {
  case number(Double)
  /// A clock's time, such as 1:30, or a number with its unit.
  case seconds(Double)
  /// A clock's time whose last part counts frames, such as 00:00:12:15.
  case timecode(Timecode)

  private static let longest = 40
  private static let largest = 1e15
  /// Words that a time may contain; `2 min` may be a label, and `1:00 PM` is not a time since a
  /// start.
  private static let words: Set = ["", "ms", "s", "sec", "day", "days"]

  /// `hasFreeCommas` says that commas separate nothing, so that a comma can only be a decimal
  /// comma.
  init?(_ text: some StringProtocol, hasFreeCommas: Bool = true) {
    guard text.utf8.count <= Self.longest,
      let first = text.utf8.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }),
      "0123456789.,+-".utf8.contains(first),
      !text.utf8.contains(where: { "\"'".utf8.contains($0) }),
      hasFreeCommas || !Self.mayBeThousands(text), let clock = ClockText(text),
      clock.value.magnitude < Self.largest,
      clock.kind == .number || Self.words.contains(String(text.filter(\.isLetter)))
    else { return nil }
    switch clock.kind {
    case .number: self = .number(clock.value)
    case .quantity, .clock: self = .seconds(roundedToMicroseconds(clock.value))
    case .timecode:
      self = .timecode(
        Timecode(
          clock: clock.value, frames: clock.frames ?? 0, dropsFrames: clock.dropsFrames))
    case .date: return nil
    }
  }

  /// Whether a text such as `1,250` in quotes may be a thousand, where commas separate fields.
  private static func mayBeThousands(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), !bytes.contains(UInt8(ascii: ":"))
    else { return false }
    return bytes[comma...].dropFirst().prefix { (48...57).contains($0) }.count == 3
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var frames: Int? { if case .timecode(let timecode) = self { timecode.frames } else { nil } }

  /// A number that grows with the time, for times of one kind.
  var rank: Double {
    switch self {
    case .number(let value), .seconds(let value): value
    case .timecode(let timecode): timecode.clock + Double(timecode.frames) / 1000
    }
  }
}

/// The mark between thousands in numbers such as `1,234.5`, `1.234,5` and `1'234.5`.
enum GroupMark {
  private static let marks: Set<Character> = [",", ".", "'", "\u{2019}", " ", "\u{A0}"]

  /// The mark of a number that has two different ones, or the same one twice.
  static func find(in text: Substring) -> Character? {
    let used = text.filter { marks.contains($0) }
    guard used.count > 1, let mark = used.first, number(text, mark) != nil else { return nil }
    return mark
  }

  static func number(_ text: Substring, _ mark: Character) -> Double? {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count == 1 || (1...3).contains(first.count) else {
      return nil
    }
    let digits = parts.dropFirst().map { $0.prefix { ("0"..."9").contains($0) } }
    guard digits.allSatisfy({ $0.count == 3 }),
      zip(parts.dropFirst(), digits).dropLast()
        .allSatisfy({ $0.count == 3 && $1.count == 3 })
    else { return nil }
    let joined = parts.joined().replacing(",", with: ".")
    return Double(decimal: joined)
  }
}

struct LabelRow: Hashable, Sendable {
  let place: SourcePlace
  var start = RawTime.number(0)
  var end = RawTime.number(0)
  var label: String
  /// The row's names for its recording, the best name first; empty if it has none.
  var recordings: [String] = []
  var tier: String?
  /// Whose row it is, or of which session: the values of the columns in `LabelSheet.parties`.
  var parties: [String] = []
  /// The frames per second of the row's video, where rows say them.
  var rate: Double?
  /// Whether the file says that the row is an event without a duration.
  var isPoint = false
  /// Whether the form in the label is from a remark beside it.
  var hasFoundForm = false
  /// Whether the row lasts to the end of the recording, as the last chapter does.
  var isOpen = false

  /// The row without its place in the file.
  var content: LabelRow {
    var copy = LabelRow(place: SourcePlace(file: place.file, line: 0), label: label)
    (copy.start, copy.end, copy.recordings, copy.tier) = (start, end, recordings, tier)
    (copy.parties, copy.rate) = (parties, rate)
    (copy.isPoint, copy.isOpen) = (isPoint, isOpen)
    return copy
  }
}

package struct LabelSheet: Sendable {
  package let file: String
  /// The form in words, for example "a table with tabs".
  package let form: String
  var rows: [LabelRow] = []
  var unit: LabelUnit?
  var unitEvidence = ""
  var rate: Double?
  /// The number of the first frame; nil if the file does not say.
  var firstFrame: Double?
  /// Whether a segment includes its last frame; nil if the file does not say.
  var includesEnd: Bool?
  /// Whether frames are a sensor's or a sound's samples.
  var countsSamples = false
  /// The columns that name people or sessions, of which there are several in a recording.
  var parties: [String] = []
  var media: [String] = []
  package var notes: [String] = []

  package var groups: [LabelGroup] {
    var groups = LabelGroup.groups(of: rows)
    if groups.count == 1, groups[0].names.isEmpty { groups[0].media = media }
    return groups
  }

  package mutating func keep(recording name: String) throws {
    let groups = groups
    guard groups.count > 1 else { return }
    let wanted = Set(RecordingName.candidates(name).map { $0.lowercased() })
    func isWanted(_ names: [String]) -> Bool {
      names.flatMap(RecordingName.candidates).contains { wanted.contains($0.lowercased()) }
    }
    let exact = groups.filter { isWanted($0.names) }
    let found =
      exact.isEmpty ? groups.filter { isWanted(rows[$0.rows[0]].recordings) } : exact
    let recordings = Set(found.map { rows[$0.rows[0]].recordings.first })
    guard recordings.count == 1, found.count == 1 || exact.isEmpty else {
      throw PoseSourceError.unusableValues(
        name: file, found: "`\(name)` matches no labels, or labels of several recordings",
        remedy: parties.isEmpty
          ? "the recordings are \(LabelSheet.list(groups.map { $0.name ?? "" }))"
          : "choose one of \(partyTitle) with --tier: \(LabelSheet.list(partyNames))")
    }
    rows = found.flatMap(\.rows).sorted().map { rows[$0] }
  }

  /// Forgets the columns of people or sessions that do not differ within a recording.
  mutating func settleParties() {
    let byRecording = Dictionary(grouping: rows) { $0.recordings.first ?? "" }.values
    let differing = parties.indices.filter { column in
      byRecording.contains { rows in
        Set(rows.compactMap { $0.parties[safe: column] }.filter { !$0.isEmpty }).count > 1
      }
    }
    parties = differing.map { parties[$0] }
    for index in rows.indices {
      rows[index].parties = differing.map { column in
        let value = rows[index].parties[safe: column] ?? ""
        return value.isEmpty ? "(blank)" : value
      }
    }
  }

  private var partyTitle: String {
    (parties.count == 1 ? "the column " : "the columns ") + LabelSheet.list(parties)
  }

  private var partyNames: [String] {
    var seen: Set<String> = []
    return rows.map { $0.parties.joined(separator: "-") }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  package func requireOneRecording() throws {
    let groups = groups
    guard groups.count != 1 else { return }
    if !parties.isEmpty {
      throw PoseSourceError.unusableValues(
        name: file,
        found: "\(partyTitle) has \(CountText.of(partyNames.count, "value")), whose rows are not "
          + "merged: \(LabelSheet.list(partyNames))",
        remedy: "choose one with --tier NAME, or write one file each with --output FOLDER/; if all "
          + "rows are of one recording and one person, remove the column")
    }
    throw PoseSourceError.unusableValues(
      name: file,
      found: "there are labels of \(CountText.of(groups.count, "recording")): "
        + LabelSheet.list(groups.map { $0.name ?? "" }),
      remedy: "choose one with --recording NAME, write one file each with --output FOLDER/, or put "
        + "them beside a dataset's recordings with --dataset DIR")
  }

  mutating func keep(tier: String) throws {
    if partyNames.contains(tier) {
      rows.removeAll { $0.parties.joined(separator: "-") != tier }
      for index in rows.indices { rows[index].parties = [] }
      parties = []
      return
    }
    let tiers = tiers + partyNames
    guard tiers.contains(tier) else {
      throw PoseSourceError.invalidOption(
        "the tier", found: tier,
        allowed: tiers.isEmpty
          ? "none: \(file) has no tiers" : "one of \(LabelSheet.list(tiers))", names: tiers)
    }
    rows.removeAll { $0.tier != tier }
  }

  var tiers: [String] {
    var seen: Set<String> = []
    return rows.compactMap(\.tier).filter { seen.insert($0).inserted }
  }

  static func list(_ names: [String], most: Int = 12) -> String {
    names.prefix(most).map { "`\($0.prefix(80))`" }.joined(separator: ", ")
      + (names.count > most ? " and \(CountText.of(names.count - most)) more" : "")
  }
}

package struct LabelGroup: Hashable, Sendable {
  package let names: [String]
  package fileprivate(set) var media: [String] = []
  fileprivate(set) var rows: [Int]

  /// The rows of each recording that the file names, in the file's order; if it names none, all
  /// rows without a name.
  static func groups(of rows: [LabelRow]) -> [LabelGroup] {
    var groups: [LabelGroup] = []
    var known: [[String]: Int] = [:]
    for (index, row) in rows.enumerated() {
      let key = [row.recordings.first ?? ""] + row.parties
      if let group = known[key] {
        groups[group].rows.append(index)
      } else {
        known[key] = groups.count
        groups.append(LabelGroup(names: names(of: row), rows: [index]))
      }
    }
    return groups
  }

  /// A row's recording, with the person or session if there are several in it.
  private static func names(of row: LabelRow) -> [String] {
    guard !row.parties.isEmpty else { return row.recordings }
    let party = row.parties.joined(separator: "-")
    return (row.recordings.first.map { ["\($0)-\(party)"] } ?? []) + [party]
  }

  package var name: String? { names.first }
}

package struct RecordingSpan: Hashable, Sendable {
  package let start: Double
  package let end: Double
  /// The frames per second, if there are enough frames to tell.
  package let rate: Double?

  package init(start: Double, end: Double, rate: Double? = nil) {
    self.start = start
    self.end = end
    self.rate = rate
  }
}

/// The plain spellings of classes that have a meaning without `--label`.
///
/// The list is exact: for any other word, the user is asked. "Left side plank" is not in it,
/// because coaches name the arm that carries the body, while `sideLeft` names the shoulder that is
/// up. Nor is "low plank", because in yoga it is not a forearm plank.
enum LabelWords {
  static let planks: [String: PlankClass] = [
    "none": .none, "no plank": .none, "not a plank": .none, "noplank": .none, "forearm": .forearm,
    "forearm plank": .forearm, "elbow plank": .forearm, "high": .high, "high plank": .high,
    "straight arm plank": .high, "side left": .sideLeft, "side plank left": .sideLeft,
    "side right": .sideRight, "side plank right": .sideRight, "reverse": .reverse,
    "reverse plank": .reverse,
  ]

  static let forms: [String: FormClass] = [
    "aligned": .aligned, "good": .aligned, "good form": .aligned, "straight": .aligned,
    "sag": .sag, "sagging": .sag, "sagging hips": .sag, "hips sagging": .sag, "hips sag": .sag,
    "pike": .pike, "piking": .pike, "piked": .pike, "hips piked": .pike, "piking hips": .pike,
  ]

  static func target(_ label: String) -> LabelTarget? {
    if let exact = try? LabelTarget(label) { return exact }
    let words = words(label)
    guard (1...longest).contains(words.count) else { return nil }
    if words == ["ignore"] { return .ignore }
    if let plank = planks[words.joined(separator: " ")] { return try? LabelTarget(plank) }
    for split in 1..<max(1, words.count) {
      let first = words[..<split].joined(separator: " ")
      let second = words[split...].joined(separator: " ")
      let plank = planks[first] ?? planks[second]
      guard let plank, let form = forms[planks[first] == nil ? first : second] else { continue }
      return try? LabelTarget(plank, form: form)
    }
    return nil
  }

  static func form(_ label: String) -> FormClass? { forms[words(label).joined(separator: " ")] }

  private static let longest = 8

  /// The words of a name in lowercase; `ForearmPlank`, `forearm_plank` and `Forearm plank` have the
  /// same ones.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    func end() {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    for scalar in name.unicodeScalars.prefix(200) {
      let properties = scalar.properties
      guard
        properties.isAlphabetic || properties.numericType != nil
          || properties.canonicalCombiningClass != .notReordered
      else {
        end()
        wasLower = false
        continue
      }
      if properties.isUppercase, wasLower { end() }
      word.unicodeScalars.append(scalar)
      wasLower = properties.isLowercase
    }
    end()
    return words
  }
}

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

  /// `name` consists of lowercase words.
  func isNamed(_ name: String) -> Bool { plain == name }

  private static func role(_ core: [String], _ words: [String]) -> Role? {
    guard let word = core.first else {
      // The name has only fillers and units, such as `time`, `timestamp_ms` or `frame`.
      let isTime = words.contains { timeWords.contains($0) || frameWords.contains($0) }
      if words == ["image"] { return nil }
      return isTime || (words.count == 1 && clockWords.contains(words[0])) ? .time : nil
    }
    guard core.count == 1 else { return nil }
    if starts.contains(word) { return .start }
    // In BORIS, `Time offset (s)` is where the clock starts.
    if word == "offset", words.first != word { return nil }
    if ends.contains(word) { return .end }
    if durations.contains(word) { return .duration }
    return words == ["t"] ? .time : nil
  }

  private static func unit(_ words: [String]) -> LabelUnit? {
    let hasMinutes = words.contains(where: minutes.contains)
    if words.contains("hh") || (words.contains("mm") && words.contains("ss"))
      || words.contains("hms") || (hasMinutes && words.contains(where: seconds.contains))
    {
      return .time
    }
    // In ELAN, `ss.msec` means seconds with a fraction.
    if words.contains("ss") { return .seconds }
    if words.contains(where: milliseconds.contains) { return .milliseconds }
    if words.contains(where: microseconds.contains) { return .microseconds }
    if words.contains(where: nanoseconds.contains) { return .nanoseconds }
    if words.contains(where: seconds.contains) { return .seconds }
    if let named = longUnits.first(where: { words.contains(where: $0.words.contains) }) {
      return named.unit
    }
    let isFrame = words.contains { frameWords.contains($0) || $0.hasSuffix("frame") }
    return isFrame || words.count > 1 && words.contains(where: samples.contains) ? .frames : nil
  }

  /// Whether the name is of people, their sessions or their videos.
  var isOfParty: Bool {
    let core = words.filter { !["id", "name", "no", "nr", "number", "code", "index"].contains($0) }
    return core.count == 1 && core.allSatisfy(Self.parties.contains)
  }
  var countsSamples: Bool { unit == .frames && words.contains(where: Self.samples.contains) }
  var isOfLastFrame: Bool { words.contains("last") }

  private static let parties: Set = [
    "subject", "participant", "person", "athlete", "patient", "player", "user", "actor",
    "observer", "annotator", "coder", "rater", "labeler", "labeller", "reviewer", "session",
    "trial", "take", "rec", "recording", "video", "clip", "sequence", "camera", "cam",
  ]
  private static let starts: Set = [
    "start", "first", "begin", "from", "onset", "starts", "beginning", "starting", "in", "tmin",
    "starttime", "startframe", "begintime", "startsec", "starttimestamp", "tstart",
  ]
  private static let ends: Set = [
    "end", "last", "stop", "to", "until", "offset", "finish", "ends", "ending", "out", "tmax",
    "till",
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
  private static let microseconds: Set = ["us", "usec", "usecs", "microsecond", "microseconds"]
  private static let nanoseconds: Set = ["ns", "nsec", "nsecs", "nanosecond", "nanoseconds"]
  private static let seconds: Set = ["s", "sec", "secs", "second", "seconds", "sf"]
  private static let minutes: Set = ["min", "mins", "minute", "minutes"]
  private static let samples: Set = ["sample", "samples"]
  private static let longUnits: [(unit: LabelUnit, words: Set<String>)] = [
    (.minutes, minutes),
    (.hours, ["h", "hr", "hrs", "hour", "hours"]),
    (.centiseconds, ["cs", "csec", "centisec", "centisecs", "centisecond", "centiseconds"]),
    (.deciseconds, ["ds", "dsec", "decisec", "decisecond", "deciseconds", "tenths"]),
  ]
  private static let clockWords: Set<String> = [milliseconds, microseconds, nanoseconds, seconds]
    .reduce(["hh", "mm", "ss", "ff"]) { $0.union($1) }
  private static let unitWords = longUnits.map(\.words).reduce(clockWords.union(samples)) {
    $0.union($1)
  }.union(["hms"])
  private static let fillers = timeWords.union(frameWords).union([
    "segment", "event", "label", "interval", "at", "of", "the", "action", "annotation", "number",
    "no", "nr", "id", "index", "idx", "position", "pos", "activity", "video", "relative",
  ])
}

struct LabelColumns {
  enum Times: Equatable {
    case segments(start: Int, end: Int)
    case durations(start: Int, duration: Int)
    /// There is one time per row, as for labels of frames or events that start and stop.
    case moments(Int)
    /// There is only a label, so every row is a frame.
    case rows
  }

  let names: [String]
  let times: Times
  let label: Int
  let form: Int?
  /// Columns of words about a segment, such as BORIS' modifiers, which may name its form.
  let remarks: [Int]
  /// The columns that name people or sessions.
  let parties: [Int]
  /// The columns that name the recording, the best name first.
  let recordings: [Int]
  let tier: Int?
  let rate: Int?
  let unit: LabelUnit?

  static let usualLabels = [
    "label", "class", "plank", "text", "behavior", "behaviour", "activity", "action", "annotation",
    "pose", "posture", "exercise", "labels", "class name", "label name", "activity name",
    "action name", "trial type", "timelinelabels", "annotation value", "event", "state", "category",
    "tag", "name", "value", "code", "title", "marker name", "marker",
  ]
  static let usualRecordings = [
    "recording", "sequence", "observation id", "video", "video name", "video id", "clip",
    "clip name", "file", "filename", "file name", "video file", "media", "media file",
    "media file name", "media file path", "recording name", "video path", "video filename",
    "observation",
  ]
  private static let usualRemarks = [
    "modifiers", "modifier", "modifier 1", "modifier 2", "comment", "comments", "comment start",
  ]
  private static let usualTiers = ["tier", "tier name", "track"]
  private static let usualRates = ["fps", "frame rate", "framerate", "media fps"]
  private static let usualForms = ["form", "quality", "form class"]

  /// Nil for names that are not a header of labels; throws for a header that lacks a necessary
  /// column.
  ///
  /// - Parameter isEmpty: Whether a column has no content, and therefore no labels.
  init?(
    _ names: [String], wanted: SegmentColumns, place: SourcePlace,
    isEmpty: (Int) -> Bool = { _ in false }
  ) throws {
    let columns = names.map { ColumnName($0) }
    func named(_ name: String?) throws -> Int? {
      guard let name else { return nil }
      let found = names.indices.filter { names[$0].lowercased() == name.lowercased() }
      guard found.count < 2 else { throw PoseSourceError.repeatedColumn(place, column: name) }
      return found.first
    }
    func usual(_ list: [String], needsContent: Bool = false) throws -> Int? {
      for name in list {
        guard let found = columns.firstIndex(where: { $0.isNamed(name) }),
          !needsContent || !isEmpty(found)
        else { continue }
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
    } else if let usual = try usual(Self.usualLabels, needsContent: true)
      ?? usual(Self.usualLabels)
    {
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
          throw place.unexpected(
            "the header", "without `\(name)`", "the name of the column with forms")
        }
        return form
      } ?? usual(Self.usualForms)
    recordings = Self.usualRecordings.compactMap { name in columns.firstIndex { $0.isNamed(name) } }
      .filter { [label = self.label] in $0 != label }
    remarks = Self.usualRemarks.compactMap { name in columns.firstIndex { $0.isNamed(name) } }
      .filter { [label = self.label] in $0 != label }
    let named = [self.label, form ?? self.label] + recordings
    parties = columns.indices.filter { columns[$0].isOfParty && !named.contains($0) }
    tier = try usual(Self.usualTiers)
    rate = try usual(Self.usualRates)
    self.names = names
  }

  /// Takes columns by their numbers from 0, for a table without a header.
  init(start: Int, end: Int, label: Int, of names: [String]) {
    self.names = names
    times = .segments(start: start, end: end)
    self.label = label
    (form, remarks, parties, recordings) = (nil, [], [], [])
    (tier, rate, unit) = (nil, nil, nil)
  }

  static let preferred: [LabelUnit?] = [
    .seconds, nil, .time, .milliseconds, .microseconds, .nanoseconds, .minutes, .hours,
    .centiseconds, .deciseconds, .frames,
  ]

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
    // One of the two names has no unit, as in `start (s)` and `end`.
    guard let start = columns.firstIndex(where: { $0.role == .start }) else { return nil }
    if let end = columns.firstIndex(where: { $0.role == .end }) {
      return .segments(start: start, end: end)
    }
    guard let length = columns.firstIndex(where: { $0.role == .duration }) else { return nil }
    guard columns[length].unit != nil || columns[start].unit == .seconds else {
      throw place.unexpected(
        "the header", "`\(columns[start].name)` and `\(columns[length].name)`, without its unit",
        "a name with the unit, such as duration_s or duration_ms")
    }
    return .durations(start: start, duration: length)
  }

  /// Whether start and end, or start and duration, have different units by their names.
  var hasOwnUnits: Bool {
    switch times {
    case .segments(let start, let end), .durations(let start, let end):
      let units = [start, end].map { ColumnName(names[$0]).unit }
      return units[0] != units[1] && units.allSatisfy { $0 != nil && $0 != .time }
    case .moments, .rows: return false
    }
  }

  private static func moment(_ columns: [ColumnName]) -> Int? {
    preferred.lazy.compactMap { unit in columns.firstIndex { $0.role == .time && $0.unit == unit } }
      .first
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
        && !columns[index].isOfParty
        && !(usualTiers + usualRates + usualForms).contains { columns[index].isNamed($0) }
        && !columns[index].name.isEmpty
    }
    return others.count == 1 ? others.first : nil
  }

  var timeColumns: [Int] {
    switch times {
    case .segments(let start, let end), .durations(let start, let end): [start, end]
    case .moments(let time): [time]
    case .rows: []
    }
  }

  /// The columns of whole minutes that belong to columns of seconds, which they follow or precede:
  /// `start_min` and `start_sec`.
  func minutes(in rows: [[Substring]]) -> [Int: Int] {
    var minutes: [Int: Int] = [:]
    for column in timeColumns where ColumnName(names[column]).unit == .seconds {
      let role = ColumnName(names[column]).role
      let other = names.indices.first {
        ColumnName(names[$0]).unit == .minutes && ColumnName(names[$0]).role == role
      }
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

  var timeColumn: Int? {
    switch times {
    case .segments(let start, _), .durations(let start, _): start
    case .moments(let time): time
    case .rows: nil
    }
  }
}
