import PoseModel
import PoseRecording

struct TableExamination {
  var diagnosis: PoseDiagnosis
  let table: PoseTable
  var samples: [JSONNode]
  var first: [JSONNode]
  let surroundings: JSONNode
  var map = TableMap()
  private(set) var builtIn: TableMap?
  var ignoresConfidence = false
  private(set) var hasFace = false
  private(set) var facts: [Fact] = []

  private let others: [(name: String, count: Int)]
  private let documents: KeyedDocuments?

  private static let sampleSize = 240
  private static let fewestInList = 10

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
    documents = try contents.first?.documents(map.layout)
    if case .arrays(let arrays)? = contents.first {
      others = arrays.alike.filter { $0.count >= Self.fewestInList }
      return
    }
    guard case .json(let text)? = contents.first, text.shape == nil, map.layout.kind == .frames,
      let path = map.layout.frames, let frame = first.first
    else {
      others = []
      return
    }
    let lists = try text.lists().filter { list in
      guard list.path != path, list.elements.count >= Self.fewestInList else { return false }
      let node = try text.node(list.elements[0])
      return node.objectKeys == frame.objectKeys && PeopleSearch.isBody(node)
        && PeopleSearch.isBody(frame)
    }
    .map { ($0.path.text, $0.elements.count) }
    others = try lists.isEmpty ? Self.keyed(beside: path, in: text) : lists
  }

  private static func keyed(
    beside path: FieldPath, in text: JSONText
  ) throws -> [(name: String, count: Int)] {
    guard let root = text.roots.first else { return [] }
    let all = try LayoutSearch.keyedObjects(text, root, FieldPath(), depth: 0)
    guard all.contains(where: { $0.path == path }) else { return [] }
    return all.filter { $0.path != path && $0.isOfBodies && $0.count >= fewestInList }
      .map { ($0.path.text, $0.count) }
  }

  mutating func run() throws {
    concludeShape()
    if let documents {
      concludeDocuments(documents)
      if documents.field == nil {
        diagnosis.reader = .table(map)
        return
      }
    }
    if let other = others.first {
      let place = map.layout.frames.map { "frames under `\($0.text)`" } ?? "longest array's frames"
      diagnosis.conclude(
        "lists", "only the \(place) are imported", .unsure,
        "`\(other.name)` has \(CountText.of(other.count, "frame")) like them",
        alternatives: ["a file for each list"])
    }
    guard !blockTensors(), !blockExchanged() else { return }
    let people = PeopleSearch(samples)
    if let recordings = people.recordings { return block(recordings: recordings) }
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
      found = search.best()
      guard let found else {
        guard !blockBodyModel(fields) else { return }
        if let other = search.unusable, let meaning = other.meaning {
          return block(meaning, at: other.place)
        }
        return blockWithoutJoints(fields)
      }
      guard !blocksByFileName(found) else { return }
      if let (problem, remedy) = search.problem(of: found) {
        return diagnosis.block(problem, remedy)
      }
      found.apply(to: &map)
      hasFace = found.hasFace
      diagnosis.conclude(
        "joints", found.summary, found.certainty, found.evidence,
        alternatives: found.alternatives + search.others)
    }
    guard !blockTurns(people) else { return }
    try followPeople(people)
    facts =
      Self.facts(in: surroundings, isOfFrame: false) + Self.facts(in: samples[0], isOfFrame: true)
    examineTime(fields, offset: found?.timeElement)
    examineSurroundings(fields)
    examineMatrices(fields)
    warnOfOtherMatrices(fields)
    examinePresence()
    examineConfidence()
    try examineBodies(isMediaPipe: found?.isMediaPipe ?? false)
    try nameStandstill()
    examineRotation()
    examineDeclaredUnit()
    examineLabels(fields)
    diagnosis.reader = .table(map)
    if !diagnosis.problems.contains(where: \.isBlocking) { tryImport() }
  }

  private mutating func blockTurns(_ people: PeopleSearch) -> Bool {
    // People of one frame may be listed in any order, and are followed later.
    guard people.fields == nil, people.points == nil, people.lists.values.allSatisfy({ $0 == 1 })
    else { return false }
    var map = map
    map.imageSize = ImageSize(width: 1, height: 1)
    map.units = map.skeleton.dimension == 2 ? .pixels : .m
    guard table.layout.recordings == nil, BodySigns(first.prefix(120), map).takeTurns else {
      return false
    }
    diagnosis.block(
      "every pose resembles the last but one far more than the last, as if two people or two "
        + "cameras took turns",
      "save a field such as `camera` or `person_id` with every pose, or a file for each")
    return true
  }

  /// The samples to search: fewer for a wide table, because all its rows have the same fields.
  private var samplesToSearch: [JSONNode] {
    let width = samples.first?.objectKeys.count ?? 0
    let most = max(8, Self.mostFields / max(width, 1))
    guard table.form == .csv, samples.count > most else { return samples }
    return (0..<most).map { samples[$0 * samples.count / most] }
  }

  private static let mostFields = 200_000

  private mutating func takeBuiltInMap() {
    guard let one = TableMap.ready.first(where: { $0.map.fits(samples, layout: map.layout) }),
      one.name != "openpose" || !isBody25B(one.map)
    else { return }
    builtIn = one.map
    let (layout, imageSize) = (map.layout, map.imageSize)
    map = one.map
    (map.layout, map.imageSize) = (layout, imageSize)
    diagnosis.conclude(
      "format", "as in the built-in map `\(one.name)`", .sure, "frames have all of its fields")
    let dimension = map.skeleton.dimension == 2 ? "2D" : "3D"
    diagnosis.conclude(
      "joints", "\(map.joints.count) in \(dimension)", .sure, "the format defines them")
    guard one.map.layout.isFramePerFile, table.count == 1 else { return }
    diagnosis.warn(
      "this is a single frame, because the format has one file per frame",
      "give doctor a folder that contains the files of all frames and nothing else")
  }

  private func isBody25B(_ map: TableMap) -> Bool {
    func misfit(_ order: JointOrder) -> Double {
      var map = map
      map.joints = order.places(
        of: .vision2d, inNumbersAt: FieldPath("people[0].pose_keypoints_2d") ?? FieldPath(),
        perPoint: 3)
      map.imageSize = ImageSize(width: 1, height: 1)
      map.confidence = nil
      map.time = TableMap.Time(field: nil, rate: 30)
      let signs = BodySigns(samples, map)
      return (signs.boneVariation ?? 0) + (signs.proportionError ?? 9)
    }
    return misfit(.body25B) < misfit(.body25)
  }

  private mutating func blockTensors() -> Bool {
    guard case .object(let keys, _)? = samples.first?.content,
      Set(keys.compactMap(PoseNetArrays.Role.init(name:))).count
        == PoseNetArrays.Role.allCases.count
    else { return false }
    diagnosis.block(
      "PoseNet's output tensors, which must still be decoded",
      "import them as your decoder reads them, with `--map posenet` (TensorFlow.js) or `--map "
        + "posenet-sample` (Apple's sample code)")
    return true
  }

  /// Refuses the rotations of SMPL's joints, with the command that reads AMASS's files.
  private mutating func blockBodyModel(_ fields: FieldSearch) -> Bool {
    guard table.form == .arrays, ["betas", "trans"].contains(where: fields.holdsNumbers),
      ["pose", "poses"].contains(where: fields.holdsNumbers)
    else { return false }
    diagnosis.block(
      "these are rotations of SMPL's joints, not positions",
      "import a file of AMASS with `planklab import amass`; from other files, save the positions of joints "
        + "that the body model gives")
    return true
  }

  private mutating func blockWithoutJoints(_ fields: FieldSearch) {
    let isText =
      table.form == .csv && fields.scalars.count <= 1 && fields.numberLists.isEmpty
      && fields.points.isEmpty
    guard !isText else { return diagnosis.blockText() }
    if let remedy = pivot {
      return diagnosis.block("a row has a single number, not a point or a frame", remedy)
    }
    let text = Self.fieldsText(fields)
    let (found, remedy) = UnreadShape(samples, surroundings).words(otherwise: text)
    diagnosis.block("no joints were found: " + found, remedy)
  }

  private mutating func concludeShape() {
    let rows = map.layout.kind == .rows
    switch table.form {
    case .arrays where map.layout.isFramePerFile: diagnosis.form = "NumPy arrays, one per frame"
    case .csv where map.layout.isFramePerFile: diagnosis.form = "tables, one file per frame"
    case .json where map.layout.isFramePerFile: diagnosis.form = "JSON, one file per frame"
    case .json: diagnosis.form = "JSON"
    case .jsonLines: diagnosis.form = "JSON, one value after another"
    case .csv:
      diagnosis.form = rows ? "CSV, several rows per frame" : "CSV, one row per frame"
      if table.hasDecimalCommas { diagnosis.form += ", with decimal commas" }
    case .arrays: diagnosis.form = "NumPy arrays"
    case .markers: diagnosis.form = "C3D, motion-capture markers"
    }
    diagnosis.frames = table.count
    var finding = CountText.of(table.count, "frame")
    if let path = map.layout.frames { finding += " under `\(path.text)`" }
    if map.layout.kind == .columns { finding += " in parallel lists" }
    if let group = map.layout.group { finding += ", whose rows share `\(group.text)`" }
    if map.layout.skip > 0 { finding += ", after a header" }
    diagnosis.conclude(
      "shape", "\(diagnosis.form): \(finding)", .sure, "from the structure of the text")
    concludeOrder()
    for remark in table.remarks {
      diagnosis.conclude("columns", remark.finding, .sure, remark.evidence)
    }
  }

  private mutating func concludeOrder() {
    guard map.layout.plain == JSONShape.images.layout else { return }
    let order = ImageOrder((0..<min(table.count, 2000)).compactMap { try? table.frame($0) })
    guard let key = order.key, let rival = order.rival else { return }
    diagnosis.conclude(
      "order", "images are ordered by `\(key)`, which differs from the order of `\(rival)`",
      .unsure, "both number the images",
      alternatives: ["the order of `\(rival)`: leave `\(key)` out of the images"])
  }

  /// Says how the documents under ids are ordered, or blocks them if nothing orders them.
  private mutating func concludeDocuments(_ documents: KeyedDocuments) {
    if documents.left > 0 {
      diagnosis.conclude(
        "members", "\(CountText.of(documents.left, "member")) without a pose left out", .sure,
        "they share no field with the poses")
    }
    guard let field = documents.field else {
      let (found, remedy) = documents.disorder
      return diagnosis.block(found, remedy)
    }
    diagnosis.conclude(
      "order", "by `\(field.text)`, as keys are neither times nor numbers", .sure,
      "no two members have the same time or number")
  }

  private static func nameLists(in node: JSONNode?) -> [[String]] {
    switch node?.content {
    case .list(let elements):
      if let texts = elements.mapAll(\.ownText), JointNames(texts).found.count >= 8 {
        return [texts]
      }
      return elements.flatMap { nameLists(in: $0) }
    case .object(_, let values): return values.flatMap { nameLists(in: $0) }
    default: return []
    }
  }

  private static func fieldsText(_ fields: FieldSearch) -> String {
    let paths =
      fields.scalars.map(\.path.text)
      + fields.numberLists.map {
        "\($0.path.text.isEmpty ? "a list" : $0.path.text) (\($0.count) numbers)"
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
      concludeParts()
      concludeStretches(clips.stretches)
      if clips.repeated > 0 { diagnosis.warn(clips.repeatedText, "repeated frames are left out") }
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
          "frames without a pose are imported, too, since a detector must cope with them")
        concludeEvents()
      }
    } catch { diagnosis.block("\(error)", "") }
  }

  /// Doubts frames without a pose that a log calls otherwise than those with one.
  private mutating func concludeEvents() {
    guard let path = map.joints.values.first?.paths.first else { return }
    for key in ["type", "event", "kind", "topic", "message", "msg", "name", "channel"] {
      var kinds: (poses: Set<String>, others: Set<String>) = ([], [])
      for sample in samples {
        guard let text = sample[key]?.ownText else { continue }
        if path.node(in: sample) == nil {
          kinds.others.insert(text)
        } else {
          kinds.poses.insert(text)
        }
      }
      guard let pose = kinds.poses.first, kinds.poses.count == 1,
        !kinds.others.isEmpty, !kinds.others.contains(pose)
      else { continue }
      let others = kinds.others.sorted().prefix(3).map { "`\($0.prefix(40))`" }
      return diagnosis.conclude(
        "events", "those with `\(key)` \(others.joined(separator: ", ")) are frames, too", .unsure,
        "they have no pose",
        alternatives: [
          "only those with `\(key)` `\(pose)`: keep these, for example with grep '\"\(key)\": "
            + "*\"\(pose)\"' FILE > NEW"
        ])
    }
  }

  struct Fact {
    let name: String
    let path: FieldPath
    let node: JSONNode
    let isOfFrame: Bool
  }

  static func facts(in node: JSONNode, isOfFrame: Bool) -> [Fact] {
    FieldSearch(node).scalars.map {
      let name = $0.path.lastKey.lowercased().filter { $0.isLetter || $0.isNumber }
      return Fact(name: name, path: $0.path, node: $0.node, isOfFrame: isOfFrame)
    }
  }

  mutating func examineSurroundings(_ fields: FieldSearch) {
    for fact in facts {
      if ["subject", "person", "user", "athlete", "participant", "username"].contains(fact.name),
        case .text(let text) = fact.node.content, !text.isEmpty, !fact.isOfFrame,
        diagnosis.subject == nil
      {
        diagnosis.subject = text
        diagnosis.conclude("person", text, .likely, "`\(fact.path.text)` says so")
      }
      examineHeight(fact)
    }
    examineImageSize()
    examineMirror()
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

  mutating func examineLabels(_ fields: FieldSearch) {
    let names = [
      "label", "class", "pose", "exercise", "plank", "annotation", "activity", "state", "phase",
    ]
    for (path, node) in fields.scalars where names.contains(path.lastKey.lowercased()) {
      guard case .text = node.content else { continue }
      let values = Set(path.nodes(in: samples).compactMap(\.text))
      guard (1...30).contains(values.count) else { continue }
      var classes: [String: String] = [:]
      for value in values where (try? LabelTarget(value)) != nil { classes[value] = value }
      let unknown = values.subtracting(classes.keys).sorted()
      if !unknown.isEmpty {
        for label in unknown + ["*"] { classes[label] = "ignore" }
        diagnosis.warn(
          "labels without a class: " + unknown.map { "`\($0.prefix(40))`" }.joined(separator: ", "),
          "they are ignored unless you give their meaning, for example --label "
            + "\(unknown[0].prefix(40))=forearm/aligned")
      }
      map.labels = TableMap.Labels(field: path, classes: classes)
      diagnosis.conclude(
        "labels", "`\(path.text)`: \(values.sorted().prefix(6).joined(separator: ", "))", .likely,
        "few different texts")
      return
    }
  }

  mutating func examineDeclaredUnit() {
    guard let declared = table.declaredUnit, let unit = TableMap.Units(rawValue: declared),
      unit != map.units
    else { return }
    diagnosis.warn(
      "the header says `\(declared)`, but the body's size is that of positions in "
        + "\(map.units == .body ? "another unit" : map.units.rawValue)",
      "the size is trusted; if the header is right, write `units: \(declared)` in the map")
  }

  mutating func examineMatrices(_ fields: FieldSearch) {
    if builtIn == nil {
      for path in Self.turning(fields) {
        let name = path.text.lowercased()
        let isCamera = name.contains("camera") || ClockName.words(of: path.text).contains("cam")
        if map.anchor == nil, name.contains("anchor") {
          map.anchor = path
        } else if map.camera == nil, isCamera {
          map.camera = path
        } else if map.anchor == nil, name.contains("transform") {
          map.anchor = path
        }
      }
    }
    let points = map.joints.values.compactMap(\.pointPath)
    let around = [map.anchor, map.camera].compactMap { $0 }
    let count = MatrixOrderCount(of: around + points, in: samples)
    guard count.matrices > 0 else { return }
    let orders = [around, points].map { MatrixOrderCount(of: $0, in: samples).areByRows }
    if let one = orders[0], let other = orders[1], one != other, let path = around.first {
      diagnosis.block(
        "`\(path.text)` is written by \(one ? "rows" : "columns"), but the matrices of joints are "
          + "written by \(other ? "rows" : "columns")",
        "write all matrices in one order")
    }
    if count.byRows > count.byColumns { map.matrices = .rows }
    let name = (map.anchor ?? map.camera).map { "`\($0.text)`" } ?? "of joints"
    let isClear = max(count.byRows, count.byColumns) > 9 * min(count.byRows, count.byColumns)
    diagnosis.conclude(
      "matrix", "\(name), \(map.matrices.rawValue) first",
      count.byRows == count.byColumns ? .unsure : isClear ? .sure : .likely,
      "from the positions of zeros and translation in "
        + CountText.of(count.matrices, "matrix", plural: "matrices"),
      alternatives: isClear
        ? [] : ["matrices: \(map.matrices == .rows ? "columns" : "rows") in the map"])
  }

  /// Leaves out projections from the camera to its image, which do not turn joints.
  private static func turning(_ fields: FieldSearch) -> [FieldPath] {
    fields.matrices.filter { path in
      !["project", "intrinsic"].contains { path.text.lowercased().contains($0) }
    }
  }

  mutating func warnOfOtherMatrices(_ fields: FieldSearch) {
    // Joints that are not imported may be beside imported ones.
    let parents = Set(map.joints.values.compactMap(\.pointPath?.parent))
    for path in Self.turning(fields) where path != map.camera && path != map.anchor {
      guard !parents.contains(path.parent) || path.steps.count < 2 else { continue }
      warnOfUnused(path, "its name contains none of camera, anchor and transform")
    }
  }

  mutating func warnOfUnused(_ matrix: FieldPath, _ reason: String) {
    diagnosis.warn(
      "the matrix `\(matrix.text)` is not used: \(reason)",
      "if it turns the joints, name it in the map as `camera_matrix` (with `frame: pelvis`) or "
        + "`anchor_matrix`")
  }
}

/// Counts 4x4 matrices, whose last column is the translation, by their storage order.
struct MatrixOrderCount {
  private(set) var matrices = 0
  private(set) var byColumns = 0
  private(set) var byRows = 0

  var areByRows: Bool? { byRows == byColumns ? nil : byRows > byColumns }

  init(of paths: [FieldPath], in samples: [JSONNode]) {
    for node in paths.flatMap({ $0.nodes(in: samples) }) {
      let numbers = node.flatNumbers
      guard numbers.count == 16, numbers.allSatisfy(\.isFinite) else { continue }
      matrices += 1
      func areZero(_ places: [Int]) -> Bool { places.allSatisfy { numbers[$0].magnitude < 1e-9 } }
      let (isRowZero, isColumnZero) = (areZero([3, 7, 11]), areZero([12, 13, 14]))
      // A matrix without a translation does not show its order.
      if isRowZero && !isColumnZero { byColumns += 1 }
      if isColumnZero && !isRowZero { byRows += 1 }
    }
  }
}
