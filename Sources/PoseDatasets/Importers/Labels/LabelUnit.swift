import PoseModel

package enum LabelUnit: String, CaseIterable, Hashable, Sendable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"
  case centiseconds = "cs"
  case deciseconds = "ds"
  case minutes = "min"
  case hours = "h"
  case days
  case frames
  case time

  private static let lengths: [Self: Double] = [
    .seconds: 1, .milliseconds: 1e-3, .microseconds: 1e-6, .nanoseconds: 1e-9, .centiseconds: 1e-2,
    .deciseconds: 0.1, .minutes: 60, .hours: 3600, .days: 86_400,
  ]

  var seconds: Double? { Self.lengths[self] }

  var word: String {
    switch self {
    case .centiseconds: "hundredths of a second"
    case .deciseconds: "tenths of a second"
    case .time: "times of a clock"
    default: "\(self)"
    }
  }
}

struct LabelClock {
  let unit: LabelUnit
  let firstFrame: Double
  private let rate: Double?
  private let ownRates: Bool
  let includesEnd: Bool
  let offset: Double
  private(set) var notes: [String] = []

  init(_ sheet: LabelSheet, _ options: LabelTextOptions, spans: [RecordingSpan?]) throws {
    let numbers = sheet.rows.flatMap { [$0.start.number, $0.end.number] }.compactMap(\.self)
    if options.offset == nil, let offset = sheet.offset { throw offset.error(in: sheet.file) }
    let choice = try LabelUnitChoice(sheet, options, numbers: numbers, spans: spans)
    unit = choice.unit
    notes = choice.notes
    rate = options.rate ?? sheet.rate
    ownRates = options.rate == nil
    offset = options.offset?.value ?? 0
    let areFrames = unit == .frames && !numbers.isEmpty
    let startsAtOne = areFrames && sheet.rows.compactMap(\.start.number).min() == 1
    firstFrame = sheet.firstFrame ?? (startsAtOne ? 1 : 0)
    includesEnd = areFrames && (sheet.includesEnd ?? Self.includesEnds(sheet))
    let most = sheet.rows.map(Self.frames).max() ?? -1
    let rates = Set(sheet.rows.map { rate(of: $0) })
    guard !(areFrames || most >= 0) || !rates.contains(nil) else {
      let known = spans.compactMap(\.?.rate)
      let isOne = Set(known.map(LabelUnitChoice.text)).count == 1
      throw Self.missingRate(sheet, isOne ? known.first : nil, areTimecodes: !areFrames)
    }
    try requireTimecodes(of: sheet)
    if most >= 0 { notes += rates.compactMap(\.self).sorted().map(Self.timecodeNote) }
    if options.rate != nil, !areFrames, most < 0, sheet.rate == nil {
      notes.append("--rate has no effect, because the times have no frames")
    }
    if areFrames || most >= 0, let rates = sheet.recordingRates {
      notes.append(
        "no rate is given, so frames are counted at each recording's own: \(rates); if the videos "
          + "have others, add a column `fps`")
    }
    if areFrames {
      if let given = options.rate, let stated = sheet.statedRate,
        (given / stated - 1).magnitude > 0.02
      {
        notes.append(
          "unsure: the file names \(LabelUnitChoice.text(stated)) frames per second, but --rate is "
            + "\(LabelUnitChoice.text(given)); to use those of the file, omit --rate")
      }
      notes += doubts(ofRate: options.rate, sheet, spans)
      let texts = rates.compactMap(\.self).sorted().map(LabelUnitChoice.text)
      let shift = LabelUnitChoice.text(1 / (rates.compactMap(\.self).max() ?? 1))
      notes.append(
        "frames are counted from \(Int(firstFrame)) at \(texts.joined(separator: " or ")) Hz"
          + (startsAtOne && sheet.firstFrame == nil
            ? ", because the first label starts at frame 1 (add --offset \(shift) if the video's "
              + "first frame is 0)" : "")
          + "; the last frame of a segment "
          + (includesEnd ? "belongs to it" : "does not belong to it"))
    }
  }

  private func requireTimecodes(of sheet: LabelSheet) throws {
    for row in sheet.rows {
      guard let rate = rate(of: row), Double(Self.frames(row)) >= rate.rounded(.up) else {
        continue
      }
      throw row.place.unusable(
        "a time counts frames to \(Self.frames(row)), but a second at "
          + "\(LabelUnitChoice.text(rate)) Hz has fewer",
        "give the labeled video's frames per second as --rate")
    }
  }

  private func doubts(
    ofRate rate: Double?, _ sheet: LabelSheet, _ spans: [RecordingSpan?]
  ) -> [String] {
    zip(sheet.groups, spans).compactMap { group, span in
      guard let rate, let span, let known = span.rate, (rate / known - 1).magnitude > 0.02,
        let last = group.rows.compactMap({ sheet.rows[$0].end.number }).max(),
        (last / known + offset - span.end).magnitude < LabelUnitChoice.slack
      else { return nil }
      return "unsure: with the recording's own \(LabelUnitChoice.text(known)) frames per second, "
        + "the labels\(group.name.map { " of `\($0.prefix(80))`" } ?? "") would end where it does; "
        + "if its frames were counted, give that --rate"
    }
  }

  func rate(of row: LabelRow) -> Double? { ownRates ? row.rate ?? rate : rate }

  private static func timecodeNote(_ rate: Double) -> String {
    let counted = Int(rate.rounded(.up))
    let text = LabelUnitChoice.text(rate)
    guard Double(counted) == rate else {
      return "timecodes count \(counted) frames as one second, at \(text) Hz"
    }
    let exact = [24: "23.976", 30: "29.97", 60: "59.94"][counted]
    return "timecodes are taken as \(text) frames per second"
      + (exact.map { "; if the video has \($0), give --rate \($0)" } ?? "")
  }

  func seconds(_ time: RawTime, of row: LabelRow, isEnd: Bool) -> Double {
    let rate = rate(of: row) ?? 1
    let seconds: Double
    switch time {
    case .seconds(let value): seconds = value
    case .timecode(let timecode): seconds = roundedToMicroseconds(timecode.seconds(rate: rate))
    case .number(let value):
      if unit == .frames {
        let frame = value - firstFrame + (isEnd && includesEnd ? 1 : 0)
        seconds = roundedToMicroseconds(frame / rate)
      } else {
        let factor = unit.seconds ?? 1
        seconds = factor == 1 ? value : roundedToMicroseconds(value * factor)
      }
    }
    return offset == 0 ? seconds : roundedToMicroseconds(seconds + offset)
  }

  func check(
    _ segments: [(start: Double, end: Double, row: LabelRow)], in span: RecordingSpan,
    _ sheet: LabelSheet
  ) throws {
    guard let last = segments.max(by: { $0.end < $1.end }),
      let first = segments.min(by: { $0.start < $1.start })
    else { return }
    if first.start < span.start - LabelUnitChoice.slack, last.end > span.start {
      throw first.row.place.unusable(
        "`\(first.row.label.prefix(80))` starts at \(first.start) s, but the recording at "
          + "\(roundedToMicroseconds(span.start)) s",
        "move the labels to the recording's clock with --offset, or start this one there")
    }
    if last.end > span.end + LabelUnitChoice.slack {
      let likely =
        last.row.end.number.map {
          LabelUnitChoice.fitting(
            end: $0, areWhole: segments.allSatisfy { $0.row.isWhole }, span, offset: offset,
            except: unit, rate: sheet.recordingRates == nil ? span.rate ?? 30 : nil)
        } ?? []
      let minutes = (last.end - offset) / 60 + offset
      let areWhole = segments.allSatisfy { ($0.end - offset).rounded() == $0.end - offset }
      let mayBeMinutes =
        unit == .time && areWhole && minutes <= span.end + LabelUnitChoice.slack
        && minutes > span.start
      let shift = roundedToMicroseconds(offset + span.start - first.start)
      let fits = last.end - first.start <= span.end - span.start + LabelUnitChoice.slack
      throw last.row.place.unusable(
        "`\(last.row.label.prefix(80))` ends at \(last.end) s, but the recording at "
          + "\(roundedToMicroseconds(span.end)) s",
        (mayBeMinutes
          ? "if the times are minutes, seconds and hundredths, write 1:15.50 instead of 1:15:50, and "
            + "if they are minutes and seconds, 0:01:15; otherwise, " : "")
          + (likely.isEmpty
            ? "give the labels of this recording, or "
              + (last.start < span.end ? "end this one there, or " : "") + "move them with --offset"
              + (fits ? " \(shift), which puts the first label at the recording's start" : "")
            : "the times may be \(likely.joined(separator: ", or "))"))
    }
    if last.end <= span.start {
      throw last.row.place.unusable(
        "the last label ends at \(last.end) s, before the recording starts at "
          + "\(roundedToMicroseconds(span.start)) s",
        "move the labels to the recording's clock with --offset "
          + "\(roundedToMicroseconds(span.start))")
    }
  }

  func doubts(_ segments: [(start: Double, end: Double)], in span: RecordingSpan?) -> [String] {
    var doubts: [String] = []
    let start = segments.map(\.start).min() ?? 0
    if span == nil, start < 0 || start >= Self.latestStart {
      doubts.append(
        "unsure: the first label starts at \(roundedToMicroseconds(start)) s; if the recording's clock "
          + "starts at 0, move the labels with --offset, and give --recording FILE to check them")
    }
    if span == nil, unit == .time, let end = segments.map(\.end).max(), end >= Self.anHour {
      doubts.append(
        "unsure: the last label ends at \(roundedToMicroseconds(end)) s, after an hour; if the times "
          + "are minutes, seconds and hundredths, write 1:15.50 instead of 1:15:50")
    }
    if let length = segments.map({ $0.end - $0.start }).median, !Self.lengths.contains(length) {
      doubts.append(
        "unsure: half of the labels last at \(length > 1 ? "least" : "most") "
          + "\(roundedToMicroseconds(length)) s; if their times are in another unit, give it as --unit"
      )
    }
    return doubts
  }

  /// The latest plausible first start, in seconds, on a clock that starts at 0.
  private static let latestStart = 600.0
  private static let anHour = 3600.0
  /// The plausible range of the median label length, in seconds.
  private static let lengths = 0.1...600

  private static func frames(_ row: LabelRow) -> Int {
    max(row.start.frames ?? -1, row.end.frames ?? -1)
  }

  private static func includesEnds(_ sheet: LabelSheet) -> Bool {
    var (apart, touching) = (0, 0)
    for group in sheet.groups {
      let rows = group.rows.map { sheet.rows[$0] }
      for (one, next) in zip(rows, rows.dropFirst()) {
        guard let end = one.end.number, let start = next.start.number else { continue }
        if start == end + 1 { apart += 1 }
        if start == end { touching += 1 }
      }
    }
    return apart > 0 && touching == 0
  }

  private static func missingRate(
    _ sheet: LabelSheet, _ known: Double?, areTimecodes: Bool
  ) -> PoseSourceError {
    let evidence = sheet.unitEvidence.isEmpty ? "" : " (\(sheet.unitEvidence))"
    if sheet.countsSamples {
      return .unusable(
        sheet.file, "the times are samples\(evidence), without a rate",
        "give the samples per second, for example --rate 100 for a sensor or --rate 48000 "
          + "for sound")
    }
    let rate = known.map(LabelUnitChoice.text) ?? "30"
    return .unusable(
      sheet.file,
      areTimecodes
        ? "the times count frames, as 00:00:12:15, without a rate"
        : "the times are frames\(evidence), without a rate",
      "give the video's frames per second: \(areTimecodes ? "" : "--unit frames ")--rate \(rate)"
        + (known == nil ? "" : ", which is the rate of the recording"))
  }
}

struct LabelUnitChoice {
  let unit: LabelUnit
  private(set) var notes: [String] = []

  /// The latest end, in seconds, of numbers that are taken as seconds without further evidence.
  private static let latest = 6.0 * 60 * 60
  private static let latestWhole = 60.0 * 60
  /// The end of all labels, in seconds, before which they are too short for exercises.
  private static let fewSeconds = 2.0
  /// The longest session and the longest label, in days.
  private static let (longestDays, longestShare) = (1.0, 0.02)
  static let slack = 1.0
  private static let shortest = 0.1

  init(
    _ sheet: LabelSheet, _ options: LabelTextOptions, numbers: [Double], spans: [RecordingSpan?]
  ) throws {
    if let given = options.unit {
      let isTime = given == .time
      if let row = sheet.rows.first(where: { ($0.start.number == nil) != isTime }) {
        throw row.place.unusable(
          isTime
            ? "a time is a plain number, but --unit is `time`"
            : "a time is clock time, but --unit is `\(given.rawValue)`",
          "remove --unit, or give the file's unit")
      }
      let fraction = sheet.rows.first { row in
        [row.start, row.end].contains { ($0.number ?? 0) != ($0.number ?? 0).rounded() }
      }
      if given == .frames, let fraction {
        throw fraction.place.unusable(
          "a time is not a whole number, but --unit is `frames`",
          "remove --unit, or give the file's unit, such as --unit s")
      }
      unit = given
      return
    }
    if numbers.isEmpty {
      try Self.requireSeconds(sheet, spans)
      unit = .time
      return
    }
    try Self.requireKnownUnit(sheet, options, spans, numbers)
    if let known = sheet.unit, known != .time {
      unit = known
      if known != .seconds {
        notes.append("the times are in \(known.word) (\(sheet.unitEvidence))")
      }
      return
    }
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() }
    try Self.requireOrder(sheet)
    if areWhole, options.rate == nil { try Self.requireNoFrames(sheet) }
    if options.rate != nil {
      guard areWhole else {
        throw PoseSourceError.unusable(
          sheet.file, "--rate is given, but the times are not frame numbers",
          "remove it, or add --unit frames")
      }
      unit = .frames
      notes.append("the times are assumed to be frames, since --rate is given")
      return
    }
    unit = try Self.fitting(sheet, options, spans, areWhole: areWhole)
    if unit == .milliseconds {
      notes.append(
        "the times are assumed to be milliseconds, because as seconds they would exceed the "
          + "recording")
    } else if unit == .days {
      notes.append("the times are taken as shares of a day, as spreadsheets store them")
    } else if !areWhole, let end = sheet.rows.compactMap(\.end.number).max(),
      end < Self.fewSeconds
    {
      notes.append(
        "unsure: as seconds, all labels end within \(end) s; if the times are minutes, give "
          + "--unit min; if 1.15 means 1:15, write 1:15")
    } else if areWhole, numbers.count > 2 {
      notes.append(
        "the times are whole numbers, assumed to be seconds; for frames, give --unit frames --rate "
          + "HZ, for milliseconds --unit ms")
    }
  }

  private static func requireKnownUnit(
    _ sheet: LabelSheet, _ options: LabelTextOptions, _ spans: [RecordingSpan?], _ numbers: [Double]
  ) throws {
    guard let name = sheet.strangeTime, sheet.unit == nil else { return }
    // Numbers beside clock times, as in 55.5 above 1:05.5, are seconds.
    let areAll = numbers.count == 2 * sheet.rows.count
    guard areAll || ColumnName(name).unit != .time else { return }
    if areDays(sheet), try fitting(sheet, options, spans, areWhole: false) == .days { return }
    throw PoseSourceError.unusable(
      sheet.file, "`\(name.prefix(80))` names a unit in which its plain numbers cannot be read",
      "write the times as seconds or as 0:01:23, or, if the numbers are in a known unit, give "
        + "it: --unit s, --unit ms, --unit min or --unit frames")
  }

  private static func requireNoFrames(_ sheet: LabelSheet) throws {
    guard let rate = sheet.statedRate ?? sheet.sampleRate else { return }
    let isOfFrames = sheet.statedRate != nil
    throw PoseSourceError.unusable(
      sheet.file,
      "the times are whole numbers without a unit, and the file names "
        + "\(text(rate)) \(isOfFrames ? "frames" : "samples") per second",
      "say what they are: --unit frames\(isOfFrames ? "" : " --rate \(text(rate))"), or --unit s")
  }

  /// Refuses numbers such as 55.5 and 59 above 1.05, which may be 1:05 or out of order.
  private static func requireOrder(_ sheet: LabelSheet) throws {
    for group in sheet.groups {
      let rows = group.rows.map { sheet.rows[$0] }
      let starts = rows.map { $0.start.number ?? .infinity }
      let falls = starts.indices.dropFirst().filter { starts[$0] < starts[$0 - 1] }
      guard falls.count == 1, let fall = falls.first else { continue }
      let after = rows[fall...].flatMap { [$0.start.number, $0.end.number] }.compactMap(\.self)
      let minutes = after.map { value in
        (whole: value.rounded(.down), rest: ((value - value.rounded(.down)) * 100).rounded())
      }
      let last = rows[..<fall].compactMap(\.end.number).max() ?? 0
      guard last < 60, after.contains(where: { $0 != $0.rounded() }),
        minutes.allSatisfy({ $0.rest < 60 && $0.whole >= 1 }),
        zip(after, minutes).allSatisfy({ ($0 * 100 - $1.whole * 100 - $1.rest).magnitude < 1e-6 }),
        let first = minutes.first, (0..<60).contains(first.whole * 60 + first.rest - last)
      else { continue }
      throw rows[fall].place.unusable(
        "`\(rows[fall].label.prefix(80))` starts at \(starts[fall]), before the row above it",
        "if that is \(Int(first.whole)) min \(Int(first.rest)) s, write "
          + "\(Int(first.whole)):\(first.rest < 10 ? "0" : "")\(Int(first.rest)); if all times are "
          + "seconds, give --unit s")
    }
  }

  /// Refuses clock times of whole minutes that no recording confirms: spreadsheets turn 1:23 into
  /// 1:23:00.
  private static func requireSeconds(_ sheet: LabelSheet, _ spans: [RecordingSpan?]) throws {
    let ends = sheet.rows.map(\.end.rank)
    let end = ends.max() ?? 0
    guard spans.contains(where: { span in span.map { end > $0.end + slack } ?? true }),
      let last = sheet.rows.last, sheet.rows.count > 2,
      (sheet.rows.map(\.start.rank) + ends).allSatisfy({ $0.remainder(dividingBy: 60) == 0 })
    else { return }
    throw last.place.unusable(
      "all times are whole minutes, as if a spreadsheet had turned 1:23 into 1:23:00",
      spans.contains { $0 == nil }
        ? "if so, write 0:01:23; otherwise, give the recording to check them, --recording FILE, or, "
          + "if they are right, --unit time"
        : "if so, write 0:01:23; if they are right, give --unit time")
  }

  private static func fitting(
    _ sheet: LabelSheet, _ options: LabelTextOptions, _ spans: [RecordingSpan?], areWhole: Bool
  ) throws -> LabelUnit {
    let offset = options.offset?.value ?? 0
    if !areWhole { try requireNoDates(sheet) }
    let groups = zip(sheet.groups, spans).compactMap { group, span in
      span.map { (rows: group.rows.map { sheet.rows[$0] }, span: $0) }
    }
    if !areWhole, areDays(sheet) {
      let fits = groups.allSatisfy { group in
        let end = 86_400 * (group.rows.compactMap(\.end.number).max() ?? 0) + offset
        return end <= group.span.end + slack && end >= group.span.start + slack
      }
      guard !groups.isEmpty, fits else {
        let end = sheet.rows.compactMap(\.end.number).max() ?? 0
        throw PoseSourceError.unusable(
          sheet.file, "as seconds, the labels end at \(end), and none lasts 0.02 s",
          "times in a spreadsheet's cells are shares of a day: --unit days; "
            + "if they are hours: --unit h; if they are seconds: --unit s")
      }
      return .days
    }
    guard !groups.isEmpty else {
      let last = sheet.rows.max { ($0.end.number ?? 0) < ($1.end.number ?? 0) }
      guard let last, let end = last.end.number, end > (areWhole ? latestWhole : latest)
      else { return .seconds }
      for (unit, seconds) in [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)]
      where (ClockSurvey.earliestDate...4e9).contains(end * seconds)
        && (sheet.rows.compactMap(\.start.number).min() ?? 0) > 0.9 * end
      {
        throw last.place.unusable(
          "the labels end at \(end), which is a time since 1970",
          "give --unit \(unit), and the date of the recording's first frame as --offset with a minus "
            + "sign, such as --offset -1764100000")
      }
      throw last.place.unusable(
        "as seconds, the labels end at \(end), after more than an hour",
        "the times may be milliseconds: --unit ms; or frames: --unit frames --rate 30; "
          + "if they are seconds: --unit s")
    }
    func ends(_ scale: (RecordingSpan) -> Double?) -> Bool {
      groups.allSatisfy { group in
        guard let factor = scale(group.span) else { return false }
        let last = group.rows.compactMap(\.end.number).max() ?? 0
        return last * factor + offset <= group.span.end + slack
      }
    }
    if ends({ _ in 1 }) { return .seconds }
    let median = lengths(sheet).filter { $0 > 0 }.median ?? 0
    let fitFrames = areWhole && ends { span in span.rate.map { 1 / $0 } }
    let fitMilliseconds = ends { _ in 0.001 } && median / 1000 >= shortest
    if fitMilliseconds, !fitFrames { return .milliseconds }
    // A later check of the ends reports why seconds do not fit.
    return .seconds
  }

  static func fitting(
    end: Double, areWhole: Bool, _ span: RecordingSpan, offset: Double, except unit: LabelUnit,
    rate: Double?
  ) -> [String] {
    var units: [String] = []
    // An end right after the recording's start would fit any unit.
    let least = span.start + (span.end - span.start) / 10
    func fits(_ value: Double) -> Bool {
      value + offset <= span.end + slack && value + offset >= least
    }
    if unit != .frames, areWhole, fits(end / (span.rate ?? 30)) {
      units.append("frames: --unit frames" + (rate.map { " --rate \(text($0))" } ?? ""))
    }
    if unit != .seconds, fits(end) { units.append("seconds: --unit s") }
    if unit != .milliseconds, fits(end / 1000) { units.append("milliseconds: --unit ms") }
    if fits(end / 1e6) { units.append("microseconds: --unit us") }
    if fits(end / 1e9) { units.append("nanoseconds: --unit ns") }
    return units
  }

  static func text(_ rate: Double) -> String {
    ((rate * 1000).rounded() / 1000).plain
  }

  private static func lengths(_ sheet: LabelSheet) -> [Double] {
    sheet.rows.compactMap { row in
      row.end.number.flatMap { end in row.start.number.map { end - $0 } }
    }
  }

  private static func areDays(_ sheet: LabelSheet) -> Bool {
    let ends = sheet.rows.compactMap(\.end.number)
    guard ends.count == sheet.rows.count, let end = ends.max(), let longest = lengths(sheet).max()
    else { return false }
    return end < longestDays && longest > 0 && longest < longestShare
  }

  /// Refuses a spreadsheet's dates, which count days since 1899, between 2000 and 2100.
  private static func requireNoDates(_ sheet: LabelSheet) throws {
    let starts = sheet.rows.compactMap(\.start.number)
    guard let first = starts.min(), let last = sheet.rows.compactMap(\.end.number).max(),
      (36_526..<73_050).contains(first), last - first < longestDays,
      lengths(sheet).max() ?? 1 < longestShare
    else { return }
    throw PoseSourceError.unusable(
      sheet.file, "the times are a spreadsheet's dates, in days since 1899",
      "give --unit days, and the time of the recording's first frame in seconds of that "
        + "clock as --offset with a minus sign; --offset "
        + "\(String(-roundedToMicroseconds(first * 86_400))) puts the first label at 0")
  }
}
