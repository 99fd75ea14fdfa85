import PoseModel

/// A time as a program wrote it, before its unit is known.
enum RawTime: Hashable, Sendable {
  case number(Double)
  /// A clock's time, such as 1:30, or a number that names its unit.
  case seconds(Double)
  /// A clock's time whose last part counts frames, such as 00:00:12:15.
  case timecode(seconds: Double, frames: Int)

  private static let longest = 40
  private static let largest = 1e15
  /// `2 min` may be a label, and `1:00 PM` is no time since a start.
  private static let words: Set = ["", "ms", "s", "sec", "day", "days"]

  /// `hasFreeCommas`: whether commas separate nothing, so that one can only be a decimal comma.
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
      self = .timecode(seconds: roundedToMicroseconds(clock.value), frames: clock.frames ?? 0)
    case .date: return nil
    }
  }

  /// Where commas separate fields, `1,250` in quotes may be a thousand.
  private static func mayBeThousands(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), !bytes.contains(UInt8(ascii: ":"))
    else { return false }
    return bytes[comma...].dropFirst().prefix { (48...57).contains($0) }.count == 3
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var frames: Int? { if case .timecode(_, let frames) = self { frames } else { nil } }

  /// Grows with the time, for times of one kind.
  var rank: Double {
    switch self {
    case .number(let value), .seconds(let value): value
    case .timecode(let seconds, let frames): seconds + Double(frames) / 1000
    }
  }
}

/// One row of labels of another program: its times have no unit and its label no meaning yet.
struct LabelRow: Hashable, Sendable {
  let place: SourcePlace
  var start = RawTime.number(0)
  var end = RawTime.number(0)
  var label: String
  /// What the row calls its recording, first what names it best; empty where nothing does.
  var recordings: [String] = []
  var tier: String?
  /// Whether the file says that it is an event without a length.
  var isPoint = false
}

/// What a file of labels holds, whatever its form.
package struct LabelSheet: Sendable {
  package let file: String
  /// The form in words, for example "a table with tabs".
  package let form: String
  var rows: [LabelRow]
  var unit: LabelUnit?
  /// What names the unit, for example "the column `Start (s)`".
  var unitEvidence = ""
  var rate: Double?
  /// The number of the first frame.
  var firstFrame = 0.0
  /// Whether a segment's last frame belongs to it; nil where the file does not say.
  var includesEnd: Bool?
  /// What the file says that it was made from, for files about one recording.
  var media: [String] = []
  package var notes: [String] = []

  init(file: String, form: String, rows: [LabelRow] = []) {
    self.file = file
    self.form = form
    self.rows = rows
  }

  package var groups: [LabelGroup] {
    var groups = LabelGroup.groups(of: rows)
    if groups.count == 1, groups[0].names.isEmpty { groups[0].media = media }
    return groups
  }

  /// Keeps the rows of one recording, if there are those of several.
  package mutating func keep(recording name: String) throws {
    let groups = groups
    guard groups.count > 1 else { return }
    let wanted = Set(RecordingName.candidates(name).map { $0.lowercased() })
    let found = groups.filter { group in
      group.names.flatMap(RecordingName.candidates).contains { wanted.contains($0.lowercased()) }
    }
    guard found.count == 1, let group = found.first else {
      throw PoseSourceError.unusableValues(
        name: file, found: "no labels, or those of several recordings, are of `\(name)`",
        remedy: "the recordings are \(LabelSheet.list(groups.map { $0.name ?? "" }))")
    }
    rows = group.rows.map { rows[$0] }
  }

  /// Throws for the labels of several recordings, with their names.
  package func requireOneRecording() throws {
    let groups = groups
    guard groups.count != 1 else { return }
    throw PoseSourceError.unusableValues(
      name: file,
      found: "there are labels of \(CountText.of(groups.count, "recording")): "
        + LabelSheet.list(groups.map { $0.name ?? "" }),
      remedy: "choose one with --recording NAME, write a file for each with --output FOLDER/, or "
        + "put them beside the recordings of a dataset with --dataset DIR")
  }

  /// Keeps the rows of one tier.
  mutating func keep(tier: String) throws {
    let tiers = tiers
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
  /// What the rows call their recording; empty where nothing names it.
  package let names: [String]
  package fileprivate(set) var media: [String] = []
  fileprivate(set) var rows: [Int]

  /// The rows of each recording that the file names, in the file's order; all rows, without a name,
  /// if it names none.
  static func groups(of rows: [LabelRow]) -> [LabelGroup] {
    var groups: [LabelGroup] = []
    var known: [String: Int] = [:]
    for (index, row) in rows.enumerated() {
      let key = row.recordings.first ?? ""
      if let group = known[key] {
        groups[group].rows.append(index)
      } else {
        known[key] = groups.count
        groups.append(LabelGroup(names: row.recordings, rows: [index]))
      }
    }
    return groups
  }

  package var name: String? { names.first }
}

/// When a recording that labels belong to starts and ends.
package struct RecordingSpan: Hashable, Sendable {
  package let start: Double
  package let end: Double
  /// Frames per second, if there are enough frames to tell.
  package let rate: Double?

  package init(start: Double, end: Double, rate: Double? = nil) {
    self.start = start
    self.end = end
    self.rate = rate
  }
}
