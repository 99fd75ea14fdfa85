import PoseModel

struct LabelRow: Hashable, Sendable {
  fileprivate(set) var place: SourcePlace
  var start = RawTime.number(0)
  var end = RawTime.number(0)
  var label: String
  var recordings: [String] = []
  var tier: String?
  var parties: [String] = []
  var rate: Double?
  var isPoint = false
  var hasFoundForm = false
  var isOpen = false
  var list: [String] = []

  mutating func add(form: String) {
    let target = LabelWords.target(label)
    guard !label.isEmpty, target?.form == nil, target != .ignore, target?.plank != PlankClass.none
    else { return }
    label += "/\(form)"
    hasFoundForm = true
  }

  var isWhole: Bool { [start, end].allSatisfy { $0.number.map { $0 == $0.rounded() } ?? false } }

  var content: LabelRow {
    var copy = self
    copy.place = SourcePlace(file: place.file, line: 0)
    return copy
  }
}

package struct LabelSheet: Sendable {
  package let file: String
  package var form: String
  var rows: [LabelRow] = []
  var unit: LabelUnit?
  var unitEvidence = ""
  /// The name of a time that has a unit in which plain numbers cannot be read.
  var strangeTime: String?
  var offset: StatedOffset?
  var rate: Double?
  /// The samples or ticks per second that the file names, which may be those of its times.
  var sampleRate: Double?
  /// The recordings' own rates as text, if rows have them because the file names none.
  private(set) var recordingRates: String?
  var firstFrame: Double?
  var includesEnd: Bool?
  var countsSamples = false
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
    guard groups.count > 1 else { return noteOther(recording: name) }
    let wanted = Set(RecordingName.candidates(name).map { $0.lowercased() })
    func isWanted(_ names: [String]) -> Bool {
      names.flatMap(RecordingName.candidates).contains { wanted.contains($0.lowercased()) }
    }
    let exact = groups.filter { isWanted($0.names) }
    let found = exact.isEmpty ? groups.filter { isWanted(rows[$0.rows[0]].recordings) } : exact
    if hasParties, exact.isEmpty, rows.allSatisfy(\.recordings.isEmpty) { throw severalParties }
    let recordings = Set(found.map { rows[$0.rows[0]].recordings.first })
    guard recordings.count == 1, found.count == 1 || exact.isEmpty else {
      throw PoseSourceError.unusable(
        file, "`\(name)` matches no labels, or labels of several recordings",
        parties.isEmpty
          ? "the recordings are \(LabelSheet.list(groups.map { $0.name ?? "" }))"
          : "choose one of \(partyTitle) with --tier: \(LabelSheet.list(partyNames))")
    }
    rows = found.flatMap(\.rows).sorted().map { rows[$0] }
  }

  package mutating func noteOther(recording name: String) {
    let named = (rows.flatMap(\.recordings) + media).distinct
    let own = Set(RecordingName.candidates(name).map { $0.lowercased() })
    let isNamed = named.flatMap(RecordingName.candidates).contains { own.contains($0.lowercased()) }
    guard let first = named.first, !isNamed else { return }
    notes.append(
      "unsure: the labels are of `\(first.prefix(80))`, but the recording is "
        + "`\(RecordingName.fileName(name).prefix(80))`")
  }

  var statedRate: Double? {
    recordingRates == nil ? rate ?? rows.lazy.compactMap(\.rate).first : nil
  }

  /// Gives rows the rates of their recordings if these differ and the file has none.
  mutating func takeRates(of spans: [RecordingSpan?]) {
    let rates = spans.compactMap(\.?.rate).map { ($0 * 1000).rounded() / 1000 }
    guard statedRate == nil, rates.count == spans.count, let least = rates.min(),
      let most = rates.max(), most > 1.02 * least
    else { return }
    for (group, rate) in zip(groups, rates) {
      for index in group.rows { rows[index].rate = rate }
    }
    let texts = zip(groups, rates).map { group, rate in
      "`\((group.name ?? "").prefix(80))` \(LabelUnitChoice.text(rate)) Hz"
    }
    recordingRates =
      texts.prefix(12).joined(separator: ", ")
      + (texts.count > 12 ? " and \(CountText.of(texts.count - 12)) more" : "")
  }

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

  package var hasParties: Bool { !parties.isEmpty }

  private var partyTitle: String {
    (parties.count == 1 ? "the column " : "the columns ") + LabelSheet.list(parties)
  }

  private var partyNames: [String] {
    rows.map { $0.parties.joined(separator: "-") }.filter { !$0.isEmpty }.distinct
  }

  package func requireOneRecording() throws {
    let groups = groups
    guard groups.count != 1 else { return }
    guard parties.isEmpty else { throw severalParties }
    throw PoseSourceError.unusable(
      file,
      "there are labels of \(CountText.of(groups.count, "recording")): "
        + LabelSheet.list(groups.map { $0.name ?? "" }),
      "choose one with --recording NAME, write one file each with --output FOLDER/, or put "
        + "them beside a dataset's recordings with --dataset DIR")
  }

  private var severalParties: PoseSourceError {
    .unusable(
      file,
      "\(partyTitle) has \(CountText.of(partyNames.count, "value")), whose rows are not "
        + "merged: \(LabelSheet.list(partyNames))",
      "choose one with --tier NAME, or write one file each with --output FOLDER/; if all "
        + "rows are of one recording and one person, remove the column")
  }

  /// Labels that say nothing, or only yes and no, in a tier that is named for a class or a form mean
  /// that class or form.
  mutating func nameLabelsByTier(unless isKnown: (String) -> Bool) throws {
    let tiers = tiers.filter { tier in
      let isClass = LabelWords.target(tier) != nil
      guard isClass || LabelWords.namesForm(tier) else { return false }
      let labels = Set(rows.lazy.filter { $0.tier == tier }.map(\.label))
      return !labels.contains(where: isKnown)
        && (isClass && labels.count == 1 || labels.allSatisfy { LabelShapes.mark($0) != nil })
    }
    guard !tiers.isEmpty else { return }
    rows.removeAll { row in
      row.tier.map(tiers.contains) ?? false && !row.label.isEmpty
        && LabelShapes.mark(row.label) == false
    }
    guard !rows.isEmpty else {
      throw PoseSourceError.unusable(
        file, "every label in \(LabelSheet.list(tiers)) says no",
        "label what there is instead, such as no plank, or add the tiers of the other classes")
    }
    for index in rows.indices {
      if let tier = rows[index].tier, tiers.contains(tier) { rows[index].label = tier }
    }
    notes.append("labels are the names of their tiers: \(LabelSheet.list(tiers))")
  }

  mutating func keep(tier: String) throws {
    if partyNames.contains(tier) {
      rows.removeAll { $0.parties.joined(separator: "-") != tier }
      for index in rows.indices { rows[index].parties = [] }
      parties = []
      return
    }
    if tier == LabelMap.anyOther, !tiers.isEmpty {
      notes.append("the tiers \(LabelSheet.list(tiers)) are joined")
      for index in rows.indices { rows[index].tier = nil }
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

  mutating func addForms(where isForm: (String) -> Bool) {
    func isAlone(_ row: LabelRow) -> Bool { isForm(row.label) && !row.isPoint && !row.isOpen }
    let forms = rows.filter(isAlone)
    let planks = rows.filter { !isAlone($0) }
    let kinds = Set(rows.map { [$0.start.kind, $0.end.kind] })
    guard !forms.isEmpty, !planks.isEmpty, kinds.count == 1 else { return }
    func share(_ form: LabelRow, _ plank: LabelRow) -> Bool {
      form.recordings.first == plank.recordings.first && form.parties == plank.parties
        && form.start.rank < plank.end.rank && form.end.rank > plank.start.rank
    }
    guard LabelWords.areForms(forms.map(\.label)),
      forms.allSatisfy({ form in planks.contains { share(form, $0) } })
    else { return }
    rows = planks.flatMap { plank in
      var parts: [LabelRow] = []
      var rest = plank
      for form in forms.filter({ share($0, plank) }).sorted(by: { $0.start.rank < $1.start.rank })
      where !plank.isPoint {
        var part = rest
        if form.start.rank > rest.start.rank {
          part.end = form.start
          parts.append(part)
          part.start = form.start
        }
        part.end = form.end.rank < rest.end.rank ? form.end : rest.end
        part.add(form: LabelWords.form(form.label)?.name ?? form.label)
        parts.append(part)
        rest.start = part.end
      }
      return rest.start.rank < rest.end.rank || parts.isEmpty ? parts + [rest] : parts
    }
    let tiers = forms.compactMap(\.tier).distinct
    notes.append(
      "rows that only name a form (\(forms.count)) are added to the planks at their times"
        + (tiers.isEmpty ? "" : "; they are of \(LabelSheet.list(tiers))"))
  }

  /// Joins tiers that are named for the one class that each holds, and refuses others, which may
  /// belong to several people.
  mutating func requireOneTier(_ meanings: [LabelTarget]) throws {
    for group in groups {
      let planks = group.rows.filter { meanings[$0].plank != nil && rows[$0].tier != nil }
      let tiers = planks.compactMap { rows[$0].tier }.distinct
      guard tiers.count > 1 else { continue }
      let areNamed = planks.allSatisfy { index in
        rows[index].tier == rows[index].label
          || rows[index].tier.flatMap(LabelWords.target)?.plank == meanings[index].plank
      }
      guard areNamed else {
        throw PoseSourceError.unusable(
          file,
          "classes are in the tiers \(LabelSheet.list(tiers)), which may be of several people",
          "choose one tier: \(LabelSheet.choices(ofTiers: tiers)); if they are of one person, "
            + "--tier \"*\" joins them")
      }
      notes.append(
        "the tiers \(LabelSheet.list(tiers)) are joined, as each has one class, its name")
    }
  }

  static func choices(ofTiers tiers: [String]) -> String {
    tiers.prefix(4).map { LabelTextReader.option("--tier", $0) }.joined(separator: " or ")
  }

  var tiers: [String] { rows.compactMap(\.tier).distinct }

  static func list(_ names: [String], most: Int = 12) -> String {
    names.prefix(most).map { "`\($0.prefix(80))`" }.joined(separator: ", ")
      + (names.count > most ? " and \(CountText.of(names.count - most)) more" : "")
  }
}

package struct LabelGroup: Hashable, Sendable {
  package let names: [String]
  package fileprivate(set) var media: [String] = []
  fileprivate(set) var rows: [Int]

  static func groups(of rows: [LabelRow]) -> [LabelGroup] {
    rows.enumerated().grouped { [$0.element.recordings.first ?? ""] + $0.element.parties }.map {
      LabelGroup(names: names(of: $0.elements[0].element), rows: $0.elements.map(\.offset))
    }
  }

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
  package let rate: Double?

  package init(start: Double, end: Double, rate: Double? = nil) {
    self.start = start
    self.end = end
    self.rate = rate
  }
}
