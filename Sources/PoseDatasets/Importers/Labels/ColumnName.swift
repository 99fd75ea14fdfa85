import PoseModel

struct ColumnName {
  enum Role { case start, end, duration, time }

  let name: String
  var role: Role?
  let unit: LabelUnit?
  /// A unit in the name that is not one of time, such as `%` in `Start (%)`.
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
      "`\(name)` and `\(twin.name)` have similar names, but different values",
      "choose the \(what) to read: --columns \"START,END,LABEL\"; if each row has several labels, "
        + "write a row for each")
  }

  /// An error for times such as `start_s` and `start_ms` that are not the same.
  func partError(_ part: ColumnName, _ place: SourcePlace) -> PoseSourceError {
    place.unusable(
      "`\(name)` and `\(part.name)` differ, as if each were a part of one time",
      "if so, write their sum instead, such as 4.5 or 0:04.5; otherwise, choose the times to read: "
        + "--columns \"START,END,LABEL\"")
  }

  /// Whether numbers in the units of two columns are one time, but for the rounding of the coarser.
  func agrees(_ value: Double, with other: ColumnName, _ number: Double) -> Bool {
    guard let own = unit?.seconds, let another = other.unit?.seconds else { return true }
    let step = max(own * Self.step(of: value), another * Self.step(of: number))
    return (value * own - number * another).magnitude <= 0.5 * step + 1e-6
  }

  /// The place of the last digit of a number: 1, 0.1, 0.01 and so on.
  private static func step(of number: Double) -> Double {
    [1, 0.1, 0.01, 1e-3, 1e-4].first { step in
      let count = number / step
      return (count - count.rounded()).magnitude < 1e-6
    } ?? 1e-6
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
    // A `track` without a number is one of the labeling program.
    if plain == "track id" { return true }
    let core = words.filter { !["id", "name", "no", "nr", "number", "code", "index"].contains($0) }
    return core.count == 1 && core.allSatisfy(Self.parties.contains)
  }
  /// Whether a list of labels with this name above it belongs to one of several people.
  var isOfPerson: Bool {
    words.count == 1
      && Self.people.contains(words[0].hasSuffix("s") ? String(words[0].dropLast()) : words[0])
  }
  var isUsualLabel: Bool { LabelColumns.usualLabels.contains(where: isNamed) }
  var isOfAnnotator: Bool { isOfParty && words.contains(where: Self.annotators.contains) }
  var mentionsForm: Bool { words.contains(where: LabelWords.namesForm) }
  /// Whether the column holds remarks, or a plank's previous, next or expected label.
  var isOfRemark: Bool { words.contains(where: Self.remarks.contains) }
  /// Whether a number in the column may shift the times or be another time.
  var isOfOtherClock: Bool { words.contains(where: Self.otherClocks.contains) }
  var isOfUnit: Bool { ["unit", "units", "time unit", "time units", "timeunit"].contains(plain) }
  var isOfSpeed: Bool { words.contains { ["speed", "playback"].contains($0) } }
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
  private static let clips: Set = ["clip", "segment", "chunk", "window", "trim", "crop"]
  private static let otherClocks = timeWords.union(starts).union(clips).union([
    "offset", "shift", "delay", "lag", "origin", "sync", "speed",
  ])
  private static let annotators: Set = [
    "observer", "annotator", "coder", "rater", "labeler", "labeller", "reviewer",
  ]
  private static let people = annotators.union([
    "subject", "participant", "person", "people", "athlete", "patient", "player", "user", "actor",
    "who", "client", "individual", "trainee", "sportler", "sportlerin", "athlet",
    "athletin", "teilnehmer", "teilnehmerin", "proband", "probandin", "personne", "joueur",
    "joueuse", "sujet", "persona", "sujeto", "jugador", "jugadora", "atleta", "participante",
    "deelnemer", "человек", "选手", "被験者",
  ])
  private static let parties = people.union([
    "session", "trial", "take", "rec", "recording", "video", "clip", "sequence", "camera", "cam",
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
    "ende", "endbild", "bis", "fin", "hasta", "fim", "fine", "einde", "slut", "конец", "结束", "終了",
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
  /// Returns the first column with each name, in the order of the names.
  func indices(named names: [String]) -> [Int] {
    names.compactMap { name in firstIndex { $0.isNamed(name) } }
  }
}
