import PoseModel

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
  /// Columns that are named for a form and marked in the rows of labels with that form.
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
  static let usualRecordings =
    [
      "recording", "sequence", "observation id", "video", "video name", "video id", "youtube id",
      "clip", "clip name", "file", "filename", "file name", "video file", "media", "media file",
      "media file name", "media file path", "recording name", "video path", "video filename",
      "observation", "aufnahme", "video url",
    ] + usualAddresses
  /// Names of columns that name recordings only if they hold names of files.
  static let usualAddresses = ["url", "src"]
  private static let usualRemarks = ["modifiers", "modifier", "modifier 1", "modifier 2"]
  static let usualTiers = ["tier", "tier name", "track"]
  static let usualRates = ["fps", "frame rate", "framerate", "media fps"]
  static let usualSampleRates = [
    "sampling rate", "sample rate", "samplerate", "sampling frequency", "timescale", "time scale",
    "ticks per second",
  ]
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
      LabelWords.mayBeForms(Set(rows.map { String($0[column]) }.filter { !$0.isEmpty }))
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
    let ids = Self.usualTiers + Self.usualRecordings + Self.usualRemarks + Self.usualRates
    // Columns that may hold labels or forms, whatever their names.
    let open = columns.indices.filter { column in
      columns[column].role == nil && !taken.contains(column) && !columns[column].isOfRemark
        && !columns[column].isOfParty && !ids.contains(where: columns[column].isNamed)
    }
    guard
      let found = wantedLabel
        ?? labels.first(where: { contains($0) { LabelWords.target(String($0)) != nil } })
        ?? (times == .rows ? nil : Self.onlyClasses(open, rows))
        ?? labels.first(where: { contains($0) { _ in true } }) ?? labels.first
        ?? Self.onlyOther(columns, taken, isForm: isForm)
    else {
      guard columns.contains(where: { $0.role == .start }), case .segments = times else {
        return nil
      }
      throw place.unusable(
        "none of the label columns \(PoseSourceError.list(Array(Self.usualLabels.prefix(8)))) is "
          + "among \(PoseSourceError.list(Array(names.prefix(5))))...",
        "give the column that holds the labels: "
          + LabelGuess(rows, labels: LabelMap()).option(names))
    }
    label = found
    _ = try named(names[found])
    let isLabel = { [label] (column: Int) in column == label }
    recordings = columns.indices(named: Self.usualRecordings).filter { column in
      let isAddress = Self.usualAddresses.contains(where: columns[column].isNamed)
      return !isLabel(column) && !numbersRows(column)
        && (!isAddress || contains(column) { RecordingName.namesFile(String($0)) })
    }
    remarks = columns.indices(named: Self.usualRemarks).filter { !isLabel($0) }
    if let name = wanted.form, try named(name) == nil {
      throw place.unexpected("the header", "without `\(name)`", "the name of the column with forms")
    }
    let others = open.filter { !isLabel($0) }
    form =
      try named(wanted.form)
      ?? columns.indices(named: Self.usualForms).first {
        !columns[$0].isNamed("quality") || !contains($0) { Double(decimal: $0) != nil }
      }
      ?? others.first(where: isForm)
    let isFree = form == nil
    formMarks = try others.filter { column in
      guard isFree, LabelWords.form(names[column]) != nil else { return false }
      let strange = rows.lazy.map { $0[column] }.first { LabelShapes.mark($0) == nil }
      guard let strange, LabelWords.namesForm(names[column]) else {
        return strange == nil && contains(column) { _ in true }
      }
      throw place.unexpected(
        "`\(names[column])`", "`\(strange.prefix(40))` in a row, which may not be a mark",
        "1 where a label has this form and 0 elsewhere, or the column another name")
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

  var unit: LabelUnit? { times.columns.lazy.compactMap { fields[$0].unit }.first }

  private var read: Set<Int> {
    Set(
      times.columns + [label] + remarks + parties + recordings + verdicts + formMarks
        + [form, tier, rate].compactMap(\.self))
  }

  var unread: [Int] { fields.indices.filter { !read.contains($0) && fields[$0].role == nil } }

  /// Columns that are not read, although their names suggest times; columns with the same times in
  /// another unit are left out.
  var otherClocks: [Int] {
    let units = times.columns.map { fields[$0].unit }
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
      if let twin { throw own.twinError(columns[twin], "columns", place) }
      let part = columns.indices.first { other in
        columns[other].role == own.role && columns[other].unit != own.unit
          && !(own.unit == .seconds && columns[other].unit == .minutes)
          && rows.contains { row in
            guard let value = RawTime(row[column])?.number,
              let number = RawTime(row[other])?.number
            else { return false }
            return !own.agrees(value, with: columns[other], number)
          }
      }
      if let part { throw own.partError(columns[part], place) }
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

  private static func onlyClasses(_ open: [Int], _ rows: [[Substring]]) -> Int? {
    func values(_ column: Int) -> Set<String> {
      Set(rows.map { String($0[column]) }.filter { !$0.isEmpty })
    }
    let found = open.filter { column in
      let values = values(column)
      return values.count > 1 && values.allSatisfy { LabelWords.target($0) != nil }
    }
    return found.count == 1 ? found.first { LabelWords.areClasses(values($0)) } : nil
  }

  /// Returns the column of whole minutes for each column of seconds that has one, such as
  /// `start_min` for `start_sec`.
  func minutes(in rows: [[Substring]]) -> [Int: Int] {
    var minutes: [Int: Int] = [:]
    for column in times.columns where fields[column].unit == .seconds {
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
