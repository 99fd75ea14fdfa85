internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct ImportTable: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Read JSON, JSON lines, CSV or NumPy arrays of any shape, by a map.",
    discussion: """
      A map says in YAML where joints, times and labels are, and in which axes and units. \
      `planklab doctor FILE` finds out what a file holds and writes its map; docs/contract.md \
      describes every key. Some maps are built in: `planklab import maps` lists them.

      Examples:
        planklab doctor dump.json --write-map dump.map.yaml
        planklab import table dump.json --map dump.map.yaml --output dump
        planklab import table landmarks.json --map mediapipe-tasks --subject anna --output anna
        planklab import table frames/ --map openpose --image-size 1080x1920 --output anna-2d
      """)

  @Argument(help: "The files: .json, .jsonl, .csv, .npz or .npy, also packed (.gz), or folders.")
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The map: a file, or the name of a built-in map.", valueName: "MAP.yaml|NAME"),
    completion: .map)
  var map: String

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp(
      "What a label means: CLASS, CLASS/FORM or ignore; * is any other label; may be repeated.",
      valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(
    help: ArgumentHelp(
      "The size of the images (default: the map's).", valueName: "WIDTHxHEIGHT"),
    transform: {
      guard let size = ImageSize($0) else { throw ValidationError("give a size such as 1080x1920") }
      return size
    })
  var imageSize: ImageSize?

  @Option(help: ArgumentHelp("Frames per second, for files without times.", valueName: "HZ"))
  var rate: Double?

  @Option(help: "portrait, portraitUpsideDown, landscapeLeft or landscapeRight.")
  var orientation: DeviceOrientation?

  @Option(help: "front or back.")
  var camera: CameraPosition?

  @Option(help: "fixed, or upright if the orientation was passed to the detector.")
  var buffer: ImageBuffer?

  @Flag(inversion: .prefixedNo, help: "Whether the images were flipped before detection.")
  var mirrored: Bool?

  @Option(help: ArgumentHelp("The person's height in meters.", valueName: "METERS"))
  var bodyHeight: Double?

  @Flag(help: "Keep the file's own clock instead of starting at 0.")
  var keepClock = false

  @Option(
    help: ArgumentHelp(
      "Which of several people is imported, from 1 for the most prominent.", valueName: "N"))
  var person: Int?

  @Flag(help: "Import everyone, each into their own recording.")
  var everyone = false

  @OptionGroup var options: ImportOptions

  func validate() throws {
    if let person, person < 1 || everyone {
      throw ValidationError("--person: give 1 or more, and not with --everyone")
    }
    if let rate, !(0.1...1000).contains(rate) {
      throw ValidationError("--rate: give 0.1 to 1000 frames per second")
    }
    if let bodyHeight, !(0.3...3).contains(bodyHeight) {
      throw ValidationError("--body-height: give meters, 0.3 to 3")
    }
  }

  func outcome() async throws -> Outcome {
    let map = adapted(try MapFile.map(map))
    let source = TableSource(
      options: TableOptions(
        map: map, labels: try LabelMap(labels), subject: options.subject, keepsClock: keepClock,
        sequenceName: options.name, person: person, isEveryone: everyone))
    let paths = try InputFiles.paths(of: files)
    return try await options.dataset(of: ImportOptions.sequences(of: paths, read: source))
  }

  private func adapted(_ given: TableMap) -> TableMap {
    var map = given
    map.imageSize = imageSize ?? map.imageSize
    if let rate { map.time.rate = rate }
    map.orientation = orientation ?? map.orientation
    map.cameraPosition = camera ?? map.cameraPosition
    map.buffer = buffer ?? map.buffer
    map.isMirrored = mirrored ?? map.isMirrored
    map.bodyHeight = bodyHeight ?? map.bodyHeight
    return map
  }
}

struct ImportMaps: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps",
    abstract: "List the built-in maps of `import table`, or print one to adapt it.",
    discussion: """
      Examples:
        planklab import maps
        planklab import maps mediapipe-tasks > mine.map.yaml
      """)

  @Argument(help: "The map to print as YAML.", completion: .map)
  var name: String?

  func outcome() throws -> Outcome {
    if let name { return Outcome(try MapFile.builtIn(name).yaml) }
    var document = Document()
    var table = Table([.words("map"), .words("reads")])
    for (name, map) in TableMap.ready {
      table.row([StyledText(name, .strong), StyledText(map.about ?? "")])
    }
    document.table(table)
    return Outcome(TextRenderer(usesColor: Terminal.usesColor).render(document))
  }
}

enum MapFile {
  static func map(_ name: String) throws -> TableMap {
    let looksLikeFile = name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    guard try looksLikeFile || FileDescriptor.exists(name) else {
      return try builtIn(name)
    }
    return try TableMap(yaml: InputText.read(name), file: name)
  }

  static func builtIn(_ name: String) throws -> TableMap {
    let known = TableMap.ready.map(\.name)
    guard let found = TableMap.ready.first(where: { $0.name == name }) else {
      throw WorkflowFailure(
        .usage,
        "there is no built-in map `\(name)`; "
          + NearestNames.choice(name, of: "built-in maps", known)
          + "; a file of your own ends in .yaml")
    }
    return found.map
  }
}
