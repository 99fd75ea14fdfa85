package import PoseModel

package struct LabelMap: Hashable, Sendable {
  package static let anyOther = "*"

  package let targets: [String: LabelTarget]

  package init(_ targets: [String: LabelTarget] = [:]) { self.targets = targets }

  /// Parses assignments such as `L=forearm/sag`, `up=none` and `*=ignore`; the last `=` separates,
  /// so that a label may contain one.
  package init(_ assignments: [String]) throws {
    var targets: [String: LabelTarget] = [:]
    for assignment in assignments {
      guard let equals = assignment.lastIndex(of: "="), equals > assignment.startIndex else {
        throw PoseSourceError.invalidOption(
          "a label assignment", found: assignment,
          allowed: "LABEL=CLASS, for example `L=forearm/sag`")
      }
      let label = String(assignment[..<equals])
      let target = try LabelTarget(String(assignment[assignment.index(after: equals)...]))
      guard targets.updateValue(target, forKey: label) == nil else {
        throw PoseSourceError.invalidOption(
          "a label assignment", found: assignment, allowed: "each label once")
      }
    }
    self.targets = targets
  }

  package subscript(label: String) -> LabelTarget? { targets[label] ?? targets[Self.anyOther] }

  /// Throws `unmappedLabels` with every label and its count.
  func meanings(of labels: [String], file: String) throws -> [LabelTarget] {
    let meanings = labels.compactMap { self[$0] }
    guard meanings.count == labels.count else {
      let seen = LabelCount.counts(of: labels)
      throw PoseSourceError.unmappedLabels(
        file: file, seen: seen, unmapped: seen.map(\.label).filter { self[$0] == nil })
    }
    return meanings
  }
}

package struct LabelCount: Hashable, Sendable, CustomStringConvertible {
  package let label: String
  package let rows: Int

  package var description: String { "`\(label)` (\(rows) \(rows == 1 ? "row" : "rows"))" }

  static func counts(of labels: [String]) -> [LabelCount] {
    var rows: [String: Int] = [:]
    for label in labels { rows[label, default: 0] += 1 }
    return rows.map { LabelCount(label: $0, rows: $1) }
      .sorted { ($1.rows, $0.label) < ($0.rows, $1.label) }
  }
}

package struct LabelTarget: Hashable, Sendable {
  package let plank: PlankClass?
  package let form: FormClass?

  package static let ignore = LabelTarget(uncheckedPlank: nil, form: nil)
  package static let noPlank = LabelTarget(uncheckedPlank: PlankClass.none, form: nil)

  package init(_ plank: PlankClass, form: FormClass? = nil) throws {
    guard form == nil || plank != .none else {
      throw PoseSourceError.invalidOption(
        "a label's class", found: "none/\(form?.name ?? "")",
        allowed: "a form only with a plank, for example `forearm/sag`; write `none` alone")
    }
    self.init(uncheckedPlank: plank, form: form)
  }

  /// Parses `none`, `ignore`, a plank class such as `high`, or one with a form: `forearm/sag`.
  package init(_ text: String) throws {
    if text == "ignore" {
      self = .ignore
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let form = parts.count == 2 ? FormClass(name: parts[1]) : nil
    guard let plank = PlankClass(name: parts[0]), parts.count == 1 || form != nil else {
      throw PoseSourceError.invalidOption(
        "a label's class", found: text, allowed: Self.allowed, names: Self.names)
    }
    try self.init(plank, form: form)
  }

  private init(uncheckedPlank plank: PlankClass?, form: FormClass?) {
    self.plank = plank
    self.form = form
  }

  private static let names =
    ["ignore"] + PlankClass.allCases.map(\.name)
    + PlankClass.allCases.filter { $0 != .none }.flatMap { plank in
      FormClass.allCases.map { "\(plank.name)/\($0.name)" }
    }

  private static let allowed =
    "ignore or one of \(PlankClass.allCases.map(\.name).joined(separator: ", ")), a plank "
    + "optionally with /\(FormClass.allCases.map(\.name).joined(separator: ", /"))"
}

extension LabelTrack {
  /// Makes one segment of every run of equal meanings.
  ///
  /// A segment starts at its first frame's time and ends where the next one starts, the last at
  /// `end`, which is after the last frame's time.
  static func runs(
    of meanings: [LabelTarget], times: [Double], end: Double
  ) throws(LabelTrackError) -> LabelTrack {
    var segments: [LabeledSegment] = []
    var start = 0
    for next in 1...max(1, meanings.count) where start < meanings.count {
      if next < meanings.count, meanings[next] == meanings[start] { continue }
      segments.append(
        LabeledSegment(
          start: Seconds(times[start]), end: Seconds(next < times.count ? times[next] : end),
          plank: meanings[start].plank, form: meanings[start].form))
      start = next
    }
    return try LabelTrack(segments)
  }
}
