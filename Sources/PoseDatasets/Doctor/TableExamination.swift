import PoseModel
import PoseRecording

struct TableExamination {
  var diagnosis: PoseDiagnosis
  let table: PoseTable
  let samples: [JSONNode]
  private let first: [JSONNode]
  private let surroundings: JSONNode
  var map = TableMap()
  /// The built-in map whose fields the frames have; nil where there is none.
  private(set) var builtIn: TableMap?

  private static let sampleSize = 240

  init(_ contents: [TableContent], _ diagnosis: PoseDiagnosis, imageSize: ImageSize?) throws {
    map.imageSize = imageSize
    self.diagnosis = diagnosis
    if contents.count > 1 {
      map.layout.isFramePerFile = true
    } else if let content = contents.first {
      map.layout = try LayoutSearch.layout(of: content)
    }
    table = try PoseTable(contents, layout: map.layout)
    surroundings = try contents.first?.surroundings(map.layout) ?? JSONNode(.null, line: 1)
    var first: [JSONNode] = []
    for index in 0..<min(table.count, Self.sampleSize) { first.append(try table.frame(index)) }
    self.first = first
    var samples: [JSONNode] = []
    let size = min(table.count, Self.sampleSize)
    for index in 0..<size { samples.append(try table.frame(index * table.count / size)) }
    self.samples = samples
  }

  mutating func run() throws {
    concludeShape()
    var fields = FieldSearch(samples.first ?? JSONNode(.null, line: 1))
    for sample in samples.dropFirst() {
      let other = FieldSearch(sample)
      let isRicher =
        (other.points.count + other.numberLists.count)
        > (fields.points.count + fields.numberLists.count)
      if isRicher { fields = other }
    }
    takeBuiltInMap()
    var found: JointSearch.Found?
    if builtIn == nil {
      var search = JointSearch(
        fields: fields, samples: samples, names: Self.nameLists(in: surroundings))
      found = search.best(map)
      guard let found else { return blockWithoutJoints(fields) }
      found.apply(to: &map)
      diagnosis.conclude(
        "joints", found.summary, found.certainty, found.evidence, alternatives: search.others)
    }
    examineTime(fields, offset: found?.timeElement)
    examineSurroundings(fields)
    if builtIn == nil { examineMatrices(fields) }
    examineConfidence()
    try examineBodies(isMediaPipe: found?.isMediaPipe ?? false)
    examineLabels(fields)
    diagnosis.reader = .table(map)
    if !diagnosis.problems.contains(where: \.isBlocking) { tryImport() }
  }

  private mutating func takeBuiltInMap() {
    guard let one = TableMap.ready.first(where: { $0.map.fits(samples, layout: map.layout) }) else {
      return
    }
    builtIn = one.map
    let (layout, imageSize) = (map.layout, map.imageSize)
    map = one.map
    (map.layout, map.imageSize) = (layout, imageSize)
    diagnosis.conclude(
      "format", "that of the built-in map `\(one.name)`", .sure, "frames have all of its fields")
    let dimension = map.skeleton.dimension == 2 ? "2D" : "3D"
    diagnosis.conclude(
      "joints", "\(map.joints.count) in \(dimension)", .sure, "the format has them")
    guard one.map.layout.isFramePerFile, table.count == 1 else { return }
    diagnosis.warn(
      "this is a single frame: the format has one file per frame",
      "give doctor the folder with the files of all frames, and nothing else in it")
  }

  private mutating func blockWithoutJoints(_ fields: FieldSearch) {
    let isText = table.form == .csv && fields.scalars.count <= 1 && fields.numberLists.isEmpty
    guard !isText else { return diagnosis.blockText() }
    diagnosis.block(
      "no joints were found: " + Self.fieldsText(fields),
      "if these are poses, write a map by hand (docs/contract.md), beginning with "
        + "`planklab import maps mlkit`")
  }

  private mutating func examineConfidence() {
    guard let confidence = map.confidence else { return }
    let field = confidence.field.map { "`\($0.text)`" } ?? "the number after the coordinates"
    let dropped = confidence.floor > 0 ? "below \(confidence.floor)" : "at 0"
    diagnosis.conclude(
      "confidence", "\(field); joints \(dropped) are missing", builtIn == nil ? .likely : .sure,
      builtIn == nil ? "it stands beside the coordinates" : "the format has it",
      alternatives: confidence.floor > 0 ? [] : ["a `floor` of your own in the map"])
  }

  private mutating func concludeShape() {
    let rows = map.layout.kind == .rows
    switch table.form {
    case .json where map.layout.isFramePerFile: diagnosis.form = "JSON, one file per frame"
    case .json: diagnosis.form = "JSON"
    case .jsonLines: diagnosis.form = "JSON, one value after another"
    case .csv:
      diagnosis.form = rows ? "CSV, several rows per frame" : "CSV, one row per frame"
      if table.hasDecimalCommas { diagnosis.form += ", with decimal commas" }
    case .arrays: diagnosis.form = "arrays of NumPy"
    }
    diagnosis.frames = table.count
    var finding = CountText.of(table.count, "frame")
    if let path = map.layout.frames { finding += " under `\(path.text)`" }
    if map.layout.kind == .columns { finding += " in lists beside each other" }
    if let group = map.layout.group { finding += ", whose rows share `\(group.text)`" }
    if map.layout.skip > 0 { finding += ", after a header" }
    diagnosis.conclude("shape", "\(diagnosis.form): \(finding)", .sure, "as the text is built")
  }

  private static func nameLists(in node: JSONNode) -> [[String]] {
    switch node.content {
    case .list(let elements):
      let texts = elements.compactMap { element -> String? in
        if case .text(let text) = element.content { text } else { nil }
      }
      let isNames = texts.count == elements.count && JointNames(texts).found.count >= 8
      return isNames ? [texts] : elements.flatMap { nameLists(in: $0) }
    case .object(_, let values): return values.flatMap { nameLists(in: $0) }
    default: return []
    }
  }

  private static func fieldsText(_ fields: FieldSearch) -> String {
    let paths =
      fields.scalars.map(\.path.text)
      + fields.numberLists.map {
        "\($0.path.text.isEmpty ? "the frame" : $0.path.text) (\($0.count) numbers)"
      }
      + fields.points.map { point in
        switch point.label {
        case .name(let name): name
        case .index(let index): "point \(index)"
        }
      }
    guard !paths.isEmpty else { return "frames have no fields" }
    let shown = paths.prefix(8).map { "`\($0.prefix(40))`" }.joined(separator: ", ")
    return "frames have " + shown + (paths.count > 8 ? " and \(paths.count - 8) more fields" : "")
  }

  private mutating func tryImport() {
    do {
      let sequence = try TableClip(table, options: TableOptions(map: map)).sequence(name: "file")
      let recording = sequence.recording
      guard recording.frameCount > 0 else { return }
      let times = recording.times
      diagnosis.seconds = (times.last ?? 0) - (times.first ?? 0)
      let poses = (0..<recording.frameCount).count { recording.hasPose(at: $0) }
      if poses == 0 {
        diagnosis.block(
          "no frame has a pose: the joints are all null, NaN or 0",
          "record again; save a frame's joints where the detector found somebody")
      } else if poses < recording.frameCount {
        diagnosis.warn(
          "\(CountText.of(recording.frameCount - poses, "frame")) without a pose",
          "they are imported as such: a detector must cope with them")
      }
    } catch {
      diagnosis.block("\(error)", "")
    }
  }
}

// Times.
extension TableExamination {
  private static let timeNames = [
    "timestamp", "time", "t", "ts", "pts", "seconds", "sec", "date", "datetime", "elapsed",
    "millis",
    "milliseconds", "nanoseconds", "clock", "key",
  ]

  private struct TimeCandidate {
    let path: FieldPath
    let values: [Double]
    let isDate: Bool
    let rank: Int
  }

  private mutating func examineTime(_ fields: FieldSearch, offset: FieldPath?) {
    let paths =
      builtIn.map { [$0.time.field].compactMap { $0 } }
      ?? fields.scalars.map(\.path) + [offset].compactMap { $0 }
    let candidates = paths.compactMap { candidate($0) }
    guard let best = candidates.max(by: { $0.rank < $1.rank }) else {
      warnOfBrokenClock(paths)
      return concludeRate()
    }
    if best.isDate {
      map.time = TableMap.Time(field: best.path, unit: .date)
      diagnosis.conclude("time", "dates in `\(best.path.text)`", .sure, "written as ISO 8601")
      return
    }
    let steps = zip(best.values.dropFirst(), best.values).map { $0 - $1 }.filter { $0 > 0 }
    guard let step = steps.median else { return concludeRate() }
    let name = best.path.lastKey.lowercased()
    let countsFrames =
      steps.allSatisfy { $0 == $0.rounded() } && step == 1
      && !["s", "sec", "seconds"].contains(name)
    if countsFrames {
      let rate = knownRate
      map.time = TableMap.Time(field: best.path, unit: .frames, rate: rate ?? 30)
      diagnosis.conclude(
        "time", "frames counted by `\(best.path.text)`, \(rate ?? 30) per second",
        rate == nil ? .unsure : .likely,
        rate == nil
          ? "it grows by 1; nothing says how fast" : "it grows by 1; the file says the rate")
      if rate == nil { warnRate() }
      return
    }
    let (unit, isNamed, contradiction) = Self.unit(
      ClockSurvey(best.values), name: name, usual: builtIn?.time.unit)
    map.time = TableMap.Time(field: best.path, unit: unit)
    let seconds = step * (unit.seconds ?? 1)
    let rate = (1 / seconds * 10).rounded() / 10
    let isEpoch = (best.values.first ?? 0) * (unit.seconds ?? 1) > ClockSurvey.earliestDate
    let isUsual = isNamed || (5...130).contains(rate)
    diagnosis.conclude(
      "time",
      "`\(best.path.text)` in \(unit.rawValue), \(rate) frames per second"
        + (isEpoch ? ", as a date" : ""),
      contradiction != nil ? .unsure : isUsual ? .sure : .likely,
      "the median step is \(Self.short(step))" + (isNamed ? ", and the name says the unit" : ""),
      alternatives: contradiction.map { ["\($0.rawValue), as the name says"] } ?? [])
  }

  private static func unit(
    _ clock: ClockSurvey, name: String, usual: TableMap.Time.Unit?
  ) -> (unit: TableMap.Time.Unit, isNamed: Bool, contradiction: TableMap.Time.Unit?) {
    let words: [(String, TableMap.Time.Unit)] = [
      ("nano", .ns), ("_ns", .ns), ("micro", .us), ("_us", .us), ("milli", .ms), ("_ms", .ms),
      ("inms", .ms), ("timems", .ms), ("sec", .s), ("_s", .s),
    ]
    let named = words.first { name.contains($0.0) || name == $0.0.dropFirst() }?.1
    let bySteps = clock.unit.flatMap { unit in
      TableMap.Time.Unit.allCases.first { $0.time == unit && $0 != .frames }
    }
    let unit = bySteps ?? named ?? usual ?? .s
    return (unit, named == unit, named == unit ? nil : named)
  }

  static func short(_ number: Double) -> String {
    let scale = number == 0 ? 1 : pow10(3 - Int(Double.log10Floor(number.magnitude)))
    let rounded = (number * scale).rounded() / scale
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }

  private static func pow10(_ exponent: Int) -> Double {
    (0..<exponent.magnitude).reduce(1.0) { value, _ in exponent > 0 ? value * 10 : value / 10 }
  }

  private func candidate(_ path: FieldPath) -> TimeCandidate? {
    var reader = FieldReader(path)
    let nodes = first.map { reader.field(of: $0) }
    guard nodes.count(where: { $0 == nil }) * 20 <= nodes.count, nodes.count > 1 else { return nil }
    let name = path.lastKey.lowercased()
    let isNamed = Self.isTimeName(name)
    let counts = ["frame", "index", "idx", "image_id", "frame_id"].contains { name.contains($0) }
    let numbers = nodes.compactMap { $0?.number }
    guard numbers.count * 20 >= nodes.count * 19 else {
      let dates = nodes.compactMap { $0?.text }.filter { FrameReader.seconds(ofDate: $0) != nil }
      guard dates.count * 20 >= nodes.count * 19 else { return nil }
      return TimeCandidate(path: path, values: [], isDate: true, rank: 100)
    }
    let rising = zip(numbers.dropFirst(), numbers).count { $0 > $1 }
    guard rising * 20 >= (numbers.count - 1) * 19, isNamed || counts || path == offsetPath else {
      return nil
    }
    let isWhole = zip(numbers.dropFirst(), numbers).allSatisfy { $0 - $1 == 1 }
    return TimeCandidate(
      path: path, values: numbers, isDate: false,
      rank: (isNamed ? 50 : 0) + (isWhole ? 0 : 30) - path.steps.count)
  }

  private var offsetPath: FieldPath { FieldPath([.element(0)]) }

  private var knownRate: Double? {
    let names = ["fps", "framerate", "rate", "hz", "samplerate", "framespersecond", "ratehz"]
    return facts.first { fact in
      names.contains(fact.name) && (1...1000).contains(fact.node.number ?? 0)
    }?.node.number
  }

  private mutating func warnOfBrokenClock(_ paths: [FieldPath]) {
    guard let path = paths.first(where: { Self.isTimeName($0.lastKey.lowercased()) }),
      first.count > 1
    else { return }
    var reader = FieldReader(path)
    let numbers = first.compactMap { reader.field(of: $0)?.number }
    let found =
      numbers.count < first.count
      ? "is missing in \(CountText.of(first.count - numbers.count, "frame"))"
      : "does not grow from frame to frame"
    diagnosis.warn(
      "`\(path.text)` is called like a time, but \(found)",
      "correct the file: times must grow, and every frame needs one")
  }

  private static func isTimeName(_ name: String) -> Bool {
    timeNames.contains { name == $0 || name.contains($0) && $0.count > 2 }
  }

  private mutating func concludeRate() {
    map.time = TableMap.Time(field: nil, rate: knownRate ?? 30)
    if let knownRate {
      diagnosis.conclude(
        "time", "\(knownRate) frames per second", .likely, "the file says the rate")
    } else {
      let evidence =
        table.count == 1 ? "there is one frame only" : "no field grows from frame to frame"
      diagnosis.conclude("time", "none", .sure, evidence)
      warnRate()
    }
  }

  private mutating func warnRate() {
    diagnosis.warn(
      "no clock: 30 frames per second are assumed, and every duration depends on it",
      "give --rate, or better, save the time of every frame")
    diagnosis.options += ["--rate", "30"]
  }
}

// Facts beside the frames.
extension TableExamination {
  private struct Fact {
    let name: String
    let path: FieldPath
    let node: JSONNode
    let isOfFrame: Bool
  }

  private var facts: [Fact] {
    var facts: [Fact] = []
    for (node, isOfFrame) in [(surroundings, false), (samples.first, true)] {
      guard let node else { continue }
      let search = FieldSearch(node)
      facts += search.scalars.map {
        let name = $0.path.lastKey.lowercased().filter { $0.isLetter || $0.isNumber }
        return Fact(name: name, path: $0.path, node: $0.node, isOfFrame: isOfFrame)
      }
    }
    return facts
  }

  private mutating func examineSurroundings(_ fields: FieldSearch) {
    let facts = facts
    for fact in facts {
      if ["subject", "person", "user", "athlete", "participant", "username"].contains(fact.name),
        case .text(let text) = fact.node.content, !text.isEmpty, !fact.isOfFrame
      {
        diagnosis.options += ["--subject", text]
        diagnosis.conclude("person", text, .likely, "`\(fact.path.text)` says so")
      }
      if fact.name.contains("mirror") || fact.name.contains("flipped"),
        case .boolean(let isMirrored) = fact.node.content
      {
        map.isMirrored = isMirrored
        diagnosis.conclude(
          "mirrored", isMirrored ? "yes" : "no", .likely, "`\(fact.path.text)` says so")
      }
      examineHeight(fact)
    }
    examineImageSize(facts)
    if !facts.contains(where: { $0.name.contains("mirror") }) {
      diagnosis.conclude(
        "mirrored", "assumed not", .unsure,
        "a mirrored person looks like a person: no data can show it",
        alternatives: ["--mirrored, if your app flips the front camera's image before detection"])
    }
  }

  private mutating func examineHeight(_ fact: Fact) {
    let names = [
      "bodyheight", "bodyheightm", "userheight", "heightm", "personheight", "bodyheightcm",
      "heightcm",
    ]
    guard names.contains(fact.name), let number = fact.node.number, number > 0 else { return }
    let isMeters = (0.5...2.6).contains(number)
    guard isMeters || (50...260).contains(number) else { return }
    if fact.isOfFrame, isMeters {
      map.bodyHeightField = fact.path
    } else {
      map.bodyHeight = isMeters ? number : number / 100
    }
    diagnosis.conclude(
      "height", "\(isMeters ? number : number / 100) m", isMeters ? .sure : .likely,
      "`\(fact.path.text)` says so")
  }

  private mutating func examineImageSize(_ facts: [Fact]) {
    func side(_ names: [String]) -> Int? {
      facts.first { names.contains($0.name) && ($0.node.number ?? 0) >= 32 }?.node.number
        .flatMap { Int(exactly: $0) }
    }
    let width = side(["imagewidth", "width", "framewidth", "videowidth", "w"])
    let height = side(["imageheight", "height", "frameheight", "videoheight", "h"])
    guard map.imageSize == nil, let width, let height, width <= 100_000, height <= 100_000 else {
      return
    }
    map.imageSize = ImageSize(width: width, height: height)
  }

  private mutating func examineLabels(_ fields: FieldSearch) {
    let names = [
      "label", "class", "pose", "exercise", "plank", "annotation", "activity", "state", "phase",
    ]
    for (path, node) in fields.scalars where names.contains(path.lastKey.lowercased()) {
      guard case .text = node.content else { continue }
      var reader = FieldReader(path)
      let values = Set(samples.compactMap { reader.field(of: $0)?.text })
      guard (1...30).contains(values.count) else { continue }
      var classes: [String: String] = [:]
      for value in values where (try? LabelTarget(value)) != nil { classes[value] = value }
      let unknown = values.subtracting(classes.keys).sorted()
      if !unknown.isEmpty {
        for label in unknown + ["*"] { classes[label] = "ignore" }
        diagnosis.warn(
          "labels without a class: " + unknown.map { "`\($0.prefix(40))`" }.joined(separator: ", "),
          "they are ignored unless you say what they mean, as in --label "
            + "\(unknown[0].prefix(40))=forearm/aligned")
      }
      map.labels = TableMap.Labels(field: path, classes: classes)
      diagnosis.conclude(
        "labels", "`\(path.text)`: \(values.sorted().prefix(6).joined(separator: ", "))", .likely,
        "few different texts")
      return
    }
  }
}

// Matrices.
extension TableExamination {
  private mutating func examineMatrices(_ fields: FieldSearch) {
    for path in fields.matrices {
      let name = path.text.lowercased()
      if map.camera == nil, name.contains("camera") {
        map.camera = path
      } else if map.anchor == nil, name.contains("transform") || name.contains("anchor") {
        map.anchor = path
      }
    }
    guard let path = map.camera ?? map.anchor else { return }
    var reader = FieldReader(path)
    let matrices = samples.compactMap { reader.field(of: $0)?.flatNumbers }.filter {
      $0.count == 16
    }
    let byColumns = matrices.count { isZero($0[3]) && isZero($0[7]) && isZero($0[11]) }
    let byRows = matrices.count { isZero($0[12]) && isZero($0[13]) && isZero($0[14]) }
    if byRows > byColumns { map.matrices = .rows }
    diagnosis.conclude(
      "matrix", "`\(path.text)`, \(map.matrices.rawValue) first",
      byRows == byColumns ? .likely : .sure, "where its zeros are")
  }

  private func isZero(_ number: Double) -> Bool { number.magnitude < 1e-9 }
}

extension FieldPath {
  var lastKey: String {
    for step in steps.reversed() {
      if case .key(let key) = step { return key }
    }
    return ""
  }
}

extension Double {
  fileprivate static func log10Floor(_ number: Double) -> Double {
    var exponent = 0.0
    var value = number
    while value >= 10, exponent < 300 { (value, exponent) = (value / 10, exponent + 1) }
    while value < 1, exponent > -300 { (value, exponent) = (value * 10, exponent - 1) }
    return exponent
  }
}
