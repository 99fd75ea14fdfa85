import PoseModel
import PoseRecording

/// Finds the field that tells cameras, clips or bodies apart whose frames are in one file.
struct RecordingSearch {
  private static let recordings: Set = [
    "camera", "cameraid", "cameraname", "cameraindex", "cameraserial", "cam", "camid", "camname",
    "camindex", "sensor", "sensorid", "device", "deviceid", "devicename", "deviceserial", "view",
    "viewid", "stream", "streamid", "streamname", "video", "videoid", "videoname", "clip", "clipid",
    "clipname", "session", "sessionid", "sessionname", "trial", "trialid", "trialname", "take",
    "takeid", "takename", "recording", "recordingid", "recordingname", "sequence", "sequenceid",
    "sequencename", "movie",
  ]
  private static let files: Set = [
    "file", "filename", "filepath", "path", "source", "sourcefile", "videofile", "videopath",
    "image", "imagename", "imagepath", "imagefile",
  ]
  /// Names of people, who are other recordings only if their frames are one after another.
  private static let subjects: Set = [
    "subject", "subjectname", "participant", "participantid", "athlete", "athleteid", "athletename",
    "username", "patient", "patientid",
  ]
  /// Names of kinds of poses, such as raw and smoothed ones.
  private static let kinds: Set = ["type", "kind", "posetype", "method", "model", "layer"]
  private static let bodies: Set = [
    "trackid", "trackingid", "bodyid", "personid", "playerid", "skeletonid", "userid", "objectid",
    "instanceid", "humanid", "subjectid", "person", "track", "body", "player", "pid", "bodyindex",
    "personindex",
  ]
  private static let mostRecordings = 1000
  private static let mostBodies = 20
  private static let fewestFrames = 10
  private static let fewestRows = 150

  let table: PoseTable
  private let first: JSONNode
  private let isOfBodies: Bool

  init(_ table: PoseTable) throws {
    self.table = table
    first = try table.frame(0)
    isOfBodies = PeopleSearch.isBody(first)
  }

  static func isOfBodies(_ field: FieldPath) -> Bool { bodies.contains(letters(field)) }

  /// The field of cameras or clips; nil if the file has one recording.
  func recordings() throws -> FieldPath? {
    let names = Self.recordings.union(Self.files).union(Self.subjects).union(Self.kinds)
    return try field(among: names) { field, keys in
      let name = Self.letters(field)
      let runs = Self.runs(keys)
      let count = Set(keys).count
      if Self.subjects.contains(name) { return runs == count }
      return try !Self.kinds.contains(name) || areBodies(keys)
    }
  }

  /// The field of bodies whose frames alternate.
  func bodies() throws -> FieldPath? {
    guard isOfBodies else { return nil }
    return try field(among: Self.bodies) { _, keys in
      let count = Set(keys).count
      return count <= Self.mostBodies && Self.runs(keys) > 2 * count
    }
  }

  private func field(
    among names: Set<String>, where fits: (FieldPath, [String]) throws -> Bool
  ) throws -> FieldPath? {
    let fields = FieldSearch(first).scalars.map(\.path).filter { path in
      names.contains(Self.letters(path))
        && path.steps.allSatisfy { if case .key = $0 { true } else { false } }
    }
    guard !fields.isEmpty, table.count >= 2 * Self.fewestFrames else { return nil }
    var readers = fields.map { FieldReader($0) }
    var texts: [[String]] = fields.map { _ in [] }
    for index in 0..<table.count {
      let frame = try table.frame(index)
      for place in fields.indices {
        texts[place].append(readers[place].field(of: frame)?.text ?? texts[place].last ?? "")
      }
    }
    for (field, texts) in zip(fields, texts) {
      if Self.files.contains(Self.letters(field)), !RecordingKeys.areFiles(texts) { continue }
      let keys = RecordingKeys.keys(texts)
      let count = Set(keys).count
      let fewest = isOfBodies ? Self.fewestFrames : Self.fewestRows
      guard (2...Self.mostRecordings).contains(count), count * fewest <= keys.count,
        try fits(field, keys)
      else { continue }
      return field
    }
    return nil
  }

  private func areBodies(_ keys: [String]) throws -> Bool {
    for key in Set(keys) {
      let places = keys.indices.filter { keys[$0] == key }
      let isBody = try places.prefix(Self.fewestFrames).contains {
        PeopleSearch.isBody(try table.frame($0))
      }
      guard isBody else { return false }
    }
    return true
  }

  private static func runs(_ keys: [String]) -> Int {
    1 + zip(keys.dropFirst(), keys).count { $0 != $1 }
  }

  private static func letters(_ field: FieldPath) -> String {
    field.lastKey.lowercased().filter(\.isLetter)
  }
}

/// What texts say about the recording of their frames; for images, their folder says it.
enum RecordingKeys {
  private static let images: Set = ["jpg", "jpeg", "png", "bmp", "webp", "tif", "tiff"]
  private static let videos: Set = ["mp4", "mov", "m4v", "avi", "mkv", "webm", "mpg", "mts"]

  static func keys(_ texts: [String]) -> [String] {
    guard texts.contains(where: isImage) else { return texts }
    return texts.map { text in
      text.lastIndex { $0 == "/" || $0 == "\\" }.map { String(text[..<$0]) } ?? ""
    }
  }

  static func areFiles(_ texts: [String]) -> Bool {
    texts.prefix(20).allSatisfy { isImage($0) || videos.contains(ending($0)) }
  }

  private static func isImage(_ text: String) -> Bool { images.contains(ending(text)) }

  private static func ending(_ text: String) -> String {
    text.lastIndex(of: ".").map { text[text.index(after: $0)...].lowercased() } ?? ""
  }
}

extension TableExamination {
  mutating func concludeParts() {
    guard let field = table.layout.recordings, table.parts.count > 1 else { return }
    let keys = table.parts.map {
      "\($0.key.prefix(30)) (\(CountText.of($0.frames.count, "frame")))"
    }
    let shown = keys.prefix(4).joined(separator: ", ") + (keys.count > 4 ? " and so on" : "")
    guard RecordingSearch.isOfBodies(field) else {
      return diagnosis.conclude(
        "recordings", "\(CountText.of(keys.count, "recording")), by `\(field.text)`", .likely,
        "its values are \(shown)", alternatives: ["one: without `recordings` in the map"])
    }
    diagnosis.conclude(
      "people",
      "\(keys.count) people in frames of their own, by `\(field.text)`; the one with the "
        + "most frames is imported", .unsure, "its values are \(shown)",
      alternatives: ["--person 2", "--everyone", "one: without `recordings` in the map"])
  }
}
