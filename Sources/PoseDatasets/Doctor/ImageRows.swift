import PoseModel
import PoseRecording

/// Rows that are people: those with the same image are one frame.
struct ImageRows {
  private static let imageNames = [
    "image_id", "image", "imageid", "image_name", "img", "img_id", "img_name", "file", "file_name",
    "filename", "frame", "frame_id", "frameid", "frame_index", "frame_idx", "frame_number",
    "frame_no", "framenumber", "frame_num",
  ]
  private static let timeNames = [
    "timestamp", "time", "t", "ts", "pts", "timestamp_ms", "time_ms", "timestamp_us", "time_s",
  ]
  private static let trackNames = [
    "track", "track_id", "trackid", "person", "person_id", "personid", "pid", "id", "idx", "player",
    "player_id", "object_id", "obj_id", "instance", "instance_id", "body_id", "pose_id", "human",
    "pose_index", "person_index", "subject_id", "individual", "individuals", "tracking_id",
  ]
  private static let pointNames = [
    "landmark", "landmark_index", "landmark_id", "landmark_name", "joint", "joint_id", "joint_name",
    "index", "id", "point", "keypoint", "keypoint_id", "keypoint_name", "type", "part", "bodypart",
    "name", "label", "node", "marker",
  ]
  private static let checkedGroups = 40

  let layout: PoseTable.Layout

  static func isTrackName(_ name: String) -> Bool { trackNames.contains(name.lowercased()) }
  static func isPointName(_ name: String) -> Bool { pointNames.contains(name.lowercased()) }

  /// Nil unless rows are bodies that share an image or a time and can be told apart; rows of COCO
  /// have `image_id` in any case.
  init?(_ content: TableContent, _ layout: PoseTable.Layout) throws {
    let table = try PoseTable([content], layout: layout)
    guard table.count > 1 else { return nil }
    let first = try table.frame(0)
    let keys = first.objectKeys
    let groups = (Self.imageNames + Self.timeNames).compactMap { name in
      keys.first { $0.lowercased() == name }
    }
    guard !groups.isEmpty, PeopleSearch.isBody(first) else { return nil }
    let tracks = keys.filter { Self.isTrackName($0) && !groups.contains($0) }
    var values: [[String?]] = groups.map { _ in [] }
    var ids: [[String?]] = tracks.map { _ in [] }
    for index in 0..<table.count {
      let row = try table.frame(index)
      for (place, key) in groups.enumerated() { values[place].append(row[key]?.text) }
      for (place, key) in tracks.enumerated() { ids[place].append(row[key]?.text) }
    }
    for (key, values) in zip(groups, values) {
      guard try Self.isShared(key, values, ids, table) else { continue }
      var own = layout
      own.kind = .rows
      own.group = FieldPath([.key(key)])
      self.layout = own
      return
    }
    return nil
  }

  private static func isShared(
    _ key: String, _ values: [String?], _ ids: [[String?]], _ table: PoseTable
  ) throws -> Bool {
    guard values.allSatisfy({ $0 != nil }) else { return false }
    var counts: [String?: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    let runs = 1 + zip(values.dropFirst(), values).count { $0 != $1 }
    let isImage = imageNames.contains(key.lowercased())
    guard counts.count < values.count else {
      return key == "image_id" && counts.count == runs
    }
    guard counts.values.allSatisfy({ $0 <= TableClips.mostPeople }), counts.count > 1 else {
      return false
    }
    let isTracked = ids.contains { ids in
      Set(zip(values, ids).map { [$0, $1] }).count == values.count && Set(ids).count < ids.count
        && Set(ids).count > 1
    }
    if isTracked { return true }
    guard counts.count == runs else { return false }
    var distances: [Double] = []
    for index in values.indices.dropFirst() where values[index] == values[index - 1] {
      distances.append(
        distance(numbers(try table.frame(index - 1)), numbers(try table.frame(index))))
      if distances.count == checkedGroups { break }
    }
    return isImage ? distances.contains { $0 > 0 } : distances.median ?? 0 > 0.1
  }

  private static func numbers(_ row: JSONNode) -> [Double] {
    let search = FieldSearch(row)
    var numbers: [Double] = []
    for path in search.numberLists.map(\.path) + search.points.flatMap({ $0.place.paths }) {
      var reader = FieldReader(path)
      guard let node = reader.field(of: row) else { continue }
      if case .object(_, let values) = node.content {
        numbers += values.compactMap(\.number)
      } else {
        numbers += node.flatNumbers
      }
    }
    return numbers.filter(\.isFinite)
  }

  /// The mean difference, in shares of how far the numbers of the first go.
  private static func distance(_ one: [Double], _ other: [Double]) -> Double {
    guard one.count == other.count, let low = one.min(), let high = one.max(), high > low else {
      return one == other ? 0 : 1
    }
    let sum = zip(one, other).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
    return sum / Double(one.count) / (high - low)
  }
}
