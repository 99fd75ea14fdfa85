import PoseModel
import PoseRecording

struct TableExamination {
  var diagnosis: PoseDiagnosis
  let table: PoseTable
  var samples: [JSONNode]
  var first: [JSONNode]
  let surroundings: JSONNode
  var map = TableMap()
  /// The built-in map whose fields the frames have; nil where there is none.
  private(set) var builtIn: TableMap?
  var ignoresConfidence = false
  private(set) var hasFace = false
  /// What the file says besides joints.
  private(set) var facts: [Fact] = []

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
    let size = min(table.count, Self.sampleSize)
    first = try (0..<size).map(table.frame)
    samples =
      size == table.count
      ? first : try (0..<size).map { [table] in try table.frame($0 * table.count / size) }
  }

  mutating func run() throws {
    concludeShape()
    let people = PeopleSearch(samples)
    takeFirstPerson(people)
    var fields = FieldSearch(samples.first ?? JSONNode(.null, line: 1))
    for sample in samplesToSearch.dropFirst() {
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
        fields: fields, samples: samples,
        names: Self.nameLists(in: surroundings) + Self.nameLists(in: samples.first),
        hasImageSize: map.imageSize != nil)
      found = search.best(map)
      guard let found else { return blockWithoutJoints(fields) }
      found.apply(to: &map)
      hasFace = found.hasFace
      diagnosis.conclude(
        "joints", found.summary, found.certainty, found.evidence,
        alternatives: found.alternatives + search.others)
    }
    try followPeople(people)
    facts =
      Self.facts(in: surroundings, isOfFrame: false) + Self.facts(in: samples[0], isOfFrame: true)
    examineTime(fields, offset: found?.timeElement)
    examineSurroundings(fields)
    examineMatrices(fields)
    warnOfOtherMatrices(fields)
    examineConfidence()
    try examineBodies(isMediaPipe: found?.isMediaPipe ?? false)
    examineDeclaredUnit()
    examineLabels(fields)
    diagnosis.reader = .table(map)
    if !diagnosis.problems.contains(where: \.isBlocking) { tryImport() }
  }

  /// Rows of a table have the same fields: of wide ones, fewer are searched.
  private var samplesToSearch: [JSONNode] {
    let width = samples.first?.objectKeys.count ?? 0
    let most = max(8, Self.mostFields / max(width, 1))
    guard table.form == .csv, samples.count > most else { return samples }
    return (0..<most).map { samples[$0 * samples.count / most] }
  }

  private static let mostFields = 200_000

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
    if case .object(let keys, _)? = samples.first?.content,
      PoseNetArrays.Role.allCases.allSatisfy({
        keys.compactMap(PoseNetArrays.Role.init(name:)).contains($0)
      })
    {
      return diagnosis.block(
        "PoseNet's output tensors, in which people are still to be found",
        "import them as your decoder reads them, with `--map posenet` (TensorFlow.js) or `--map "
          + "posenet-sample` (Apple's sample code)")
    }
    let text = Self.fieldsText(fields)
    let (found, remedy) = UnreadShape(samples, surroundings).words(otherwise: text)
    diagnosis.block("no joints were found: " + found, remedy)
  }

  private mutating func concludeShape() {
    let rows = map.layout.kind == .rows
    switch table.form {
    case .csv where map.layout.isFramePerFile: diagnosis.form = "tables, one file per frame"
    case .json where map.layout.isFramePerFile: diagnosis.form = "JSON, one file per frame"
    case .json: diagnosis.form = "JSON"
    case .jsonLines: diagnosis.form = "JSON, one value after another"
    case .csv:
      diagnosis.form = rows ? "CSV, several rows per frame" : "CSV, one row per frame"
      if table.hasDecimalCommas { diagnosis.form += ", with decimal commas" }
    case .arrays: diagnosis.form = "arrays of NumPy"
    case .markers: diagnosis.form = "C3D, markers of motion capture"
    }
    diagnosis.frames = table.count
    var finding = CountText.of(table.count, "frame")
    if let path = map.layout.frames { finding += " under `\(path.text)`" }
    if map.layout.kind == .columns { finding += " in lists beside each other" }
    if let group = map.layout.group { finding += ", whose rows share `\(group.text)`" }
    if map.layout.skip > 0 { finding += ", after a header" }
    diagnosis.conclude("shape", "\(diagnosis.form): \(finding)", .sure, "as the text is built")
    concludeOrder()
    for remark in table.remarks {
      diagnosis.conclude("columns", remark.finding, .sure, remark.evidence)
    }
  }

  private mutating func concludeOrder() {
    guard map.layout == JSONShape.images.layout else { return }
    let order = ImageOrder((0..<min(table.count, 2000)).compactMap { try? table.frame($0) })
    guard let key = order.key, let rival = order.rival else { return }
    diagnosis.conclude(
      "order", "images in the order of the numbers in `\(key)`, which is not that of `\(rival)`",
      .unsure, "both number the images",
      alternatives: ["the order of `\(rival)`: leave `\(key)` out of the images"])
  }

  private static func nameLists(in node: JSONNode?) -> [[String]] {
    switch node?.content {
    case .list(let elements):
      let texts = elements.compactMap(\.ownText)
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
      var clips = try TableClips(table, options: TableOptions(map: map))
      if examineRepeats(clips) {
        clips.options.map.longestRepeat = map.longestRepeat
        diagnosis.reader = .table(map)
      }
      diagnosis.clips = clips
      concludeStretches(clips.stretches)
      if clips.repeated > 0 { diagnosis.warn(clips.repeatedText, "they are left out") }
      let recordings = try clips.sequences(name: "file").map(\.recording)
      diagnosis.seconds = recordings.reduce(0) { sum, recording in
        sum + (recording.times.last ?? 0) - (recording.times.first ?? 0)
      }
      let empty = recordings.reduce(0) { sum, recording in
        sum + (0..<recording.frameCount).count { !recording.hasPose(at: $0) }
      }
      if empty > 0 {
        diagnosis.warn(
          "\(CountText.of(empty, "frame")) without a pose",
          "they are imported as such: a detector must cope with them")
      }
    } catch {
      diagnosis.block("\(error)", "")
    }
  }
}

extension FieldPath {
  var lastKey: String {
    for step in steps.reversed() {
      if case .key(let key) = step { return key }
    }
    return ""
  }
}
