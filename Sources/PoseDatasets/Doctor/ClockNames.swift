/// What the name of a field says about times.
struct ClockName: Hashable, Sendable {
  enum Meaning: Int, Comparable, Sendable {
    /// The name says that the field is no clock, such as `score` or `x`.
    case other
    case nothing
    /// Of a thing that has a number, such as `id` or `tick`.
    case weakCounter
    case counter
    /// Such as `offset`, `capturedAt`: often of times.
    case weakTime
    case time

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  private(set) var meaning = Meaning.nothing
  private(set) var unit: TableMap.Time.Unit?
  /// Whether the name is of the time at which something was stored, not seen.
  private(set) var isOfStoring = false
  /// Whether the name is of stamps in a codec's own units, as in `pts`.
  private(set) var isOfStamps = false

  private static let units: [(words: Set<String>, unit: TableMap.Time.Unit)] = [
    (
      ["ns", "nsec", "nsecs", "nano", "nanos", "nanosec", "nanosecs", "nanosecond", "nanoseconds"],
      .ns
    ),
    (["us", "usec", "usecs", "micro", "micros", "microsec", "microsecond", "microseconds"], .us),
    (["ms", "msec", "msecs", "milli", "millis", "millisec", "millisecond", "milliseconds"], .ms),
    (["s", "sec", "secs", "second", "seconds", "sekunden", "secondes", "segundos"], .s),
  ]
  private static let times: Set<String> = [
    "time", "times", "timestamp", "timestamps", "t", "ts", "pts", "dts", "date", "datetime",
    "clock",
    "elapsed", "stamp", "epoch", "uptime", "utc", "gmt", "unixtime", "tms", "zeit", "zeitpunkt",
    "zeitstempel", "uhrzeit", "temps", "heure", "tiempo", "hora", "tempo", "cmtime",
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
    "timeout", "latency", "fps", "rate", "version", "angle", "distance", "battery",
    "temperature", "progress", "reps", "repetitions", "track", "person", "dt", "delta",
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
    if unit != nil, Self.others.isDisjoint(with: words) {
      meaning = .time
    } else if Self.counters.contains(last) || last.hasSuffix("frame") || last.hasSuffix("index") {
      meaning = .counter
    } else if !Self.others.isDisjoint(with: words) {
      (meaning, unit) = (.other, nil)
    } else if Self.weakCounters.contains(last), !isTime {
      meaning = words.contains(where: Self.counters.contains) ? .counter : .weakCounter
    } else if Self.weakCounters.contains(last), last != "ticks", last != "tick" {
      // `timestampNumber` counts times.
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
    // `timems` and `timestampns`, written as one word.
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

  /// `captureTsMs`, `capture_ts_ms`, `CaptureTS.ms` are three words.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    let characters = Array(name.prefix(200))
    for (index, character) in characters.enumerated() {
      let endsCapitals =
        character.isUppercase && last.isUppercase
        && characters.indices.contains(index + 1) && characters[index + 1].isLowercase
      if !character.isLetter || character.isUppercase && !last.isUppercase || endsCapitals {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
      last = character
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
