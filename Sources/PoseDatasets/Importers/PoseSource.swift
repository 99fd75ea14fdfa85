package import PoseModel

/// Reads poses that another program wrote and puts them out as recordings with labels.
///
/// Foreign conventions end here: every source turns its axes, units, joint names and time base
/// into those of `Recording`, sides unmirrored, and says in notes what it assumed. Sources get
/// texts and give values; they never touch a file. A new source is one type that conforms.
package protocol PoseSource: Sendable {
  /// The name that selects the source, for example `mediapipe`.
  static var name: String { get }

  /// One sentence on what the source reads.
  static var summary: String { get }

  /// Reads texts that belong together and returns their sequences in order.
  ///
  /// - Parameter files: the texts; a source tells the roles of several by their content.
  /// - Returns: at least one sequence; names are unique and safe as file names.
  /// - Throws: `PoseSourceError` for the first problem; nothing is returned then.
  func sequences(from files: [NamedText]) throws(PoseSourceError) -> [ImportedSequence]
}

/// A recording from elsewhere with its labels and with what is known about it.
package struct ImportedSequence: Sendable {
  /// The name within a data set: ASCII letters, digits, `.`, `_` and `-`.
  package var name: String
  /// The poses: unmirrored, in meters, times in whole microseconds.
  package var recording: Recording
  /// What was done when; boundaries are equal to frame times.
  package var labels: LabelTrack
  /// Whether the recording begins inside a hold because it was cut from a longer one.
  package var startsMid: Bool
  /// Properties by which results can be grouped.
  package var tags: [String: String]
  /// What was assumed, changed or missing, one sentence each.
  package var notes: [String]

  /// Checks that no two sequences have the same name.
  ///
  /// - Throws: `PoseSourceError.repeatedName`.
  static func requireUniqueNames(_ sequences: [ImportedSequence]) throws(PoseSourceError) {
    var seen: Set<String> = []
    for sequence in sequences where !seen.insert(sequence.name).inserted {
      throw .repeatedName(sequence.name)
    }
  }
}

/// Why poses from elsewhere cannot be read.
package enum PoseSourceError: Error, Hashable, Sendable {
  /// A byte is not UTF-8.
  case notText(SourcePlace)
  /// A table has no row below its header.
  case emptyTable(file: String)
  /// A table names a column twice.
  case repeatedColumn(SourcePlace, column: String)
  /// No column holds the labels.
  case noLabelColumn(SourcePlace, expected: [String], columns: [String])
  /// A joint has some of its coordinates only.
  case incompleteLandmark(SourcePlace, landmark: String, missing: [String])
  /// Joints that give a body its size have no columns.
  case missingLandmarks(SourcePlace, [String])
  /// A row has more or fewer fields than the header.
  case wrongFieldCount(SourcePlace, found: Int, expected: Int)
  /// A coordinate is no number.
  case notANumber(SourcePlace, column: String, found: String)
  /// Labels of the source for which no class is given.
  case unmappedLabels(file: String, seen: [LabelCount], unmapped: [String])
  /// No frame of a stretch shows all joints that give a body its size.
  case unscalableBody(file: String, lines: ClosedRange<Int>)
  /// An option has a value that it cannot have; the names that it can have, where it takes names.
  case invalidOption(String, found: String, allowed: String, names: [String] = [])
  /// Two sequences have the same name.
  case repeatedName(String)
  /// A text is not the JSON that it should be.
  case unreadableJSON(file: String, problem: String)
  /// A JSON value is not what its place calls for.
  case unexpectedValue(file: String, path: String, found: String, allowed: String)
  /// Motion capture came with no skeleton, or with several.
  case skeletonCount(found: [String])
  /// A skeleton came without a motion.
  case noMotion(skeleton: String)
  /// A skeleton lacks joints that a recording needs.
  case missingJoints(file: String, [String])
  /// Labels do not make a track.
  case unusableLabels(sequence: String, LabelTrackError)
}

extension PoseSourceError: CustomStringConvertible {
  /// Where, what was found, what is allowed, and what to do.
  package var description: String {
    switch self {
    case .notText(let place):
      "\(place): a byte is not UTF-8; save the file as UTF-8 text"
    case .emptyTable(let file):
      "\(file): no row below the header; give a table with at least one frame"
    case .repeatedColumn(let place, let column):
      "\(place): the column `\(column)` names a quantity for the second time; remove or rename one"
    case .noLabelColumn(let place, let expected, let columns):
      "\(place): no label column (\(Self.list(expected))) among "
        + "\(Self.list(Array(columns.prefix(5))))...; name the column that holds the labels"
    case .incompleteLandmark(let place, let landmark, let missing):
      "\(place): `\(landmark)` has no column for \(missing.joined(separator: " and ")); "
        + "a joint needs x, y and z: add it, or remove the landmark's other columns"
    case .missingLandmarks(let place, let names):
      "\(place): no columns for \(Self.list(names)); a body is scaled by shoulders, hips, knees "
        + "and ankles: add them as NAME_x, NAME_y, NAME_z or x_NAME, y_NAME, z_NAME"
    case .wrongFieldCount(let place, let found, let expected):
      "\(place): \(found) fields where the header has \(expected); complete or remove the row"
    case .notANumber(let place, let column, let found):
      "\(place): `\(found)` in the column `\(column)` is not a number; correct it, or leave it "
        + "empty for a missing joint"
    case .unmappedLabels, .unscalableBody, .invalidOption, .repeatedName, .unusableLabels:
      sequenceMessage
    case .unreadableJSON, .unexpectedValue, .skeletonCount, .noMotion, .missingJoints:
      motionMessage
    }
  }

  private var sequenceMessage: String {
    switch self {
    case .unmappedLabels(let file, let seen, let unmapped):
      "\(file): no class is given for \(Self.list(unmapped)); the labels are "
        + "\(seen.map(\.description).joined(separator: ", ")). Map one as in "
        + "`\(unmapped.first ?? "label")=forearm/sag` or `\(unmapped.first ?? "label")=none`, leave "
        + "one out with `=ignore`, or give one class to all others with `*=none`"
    case .unscalableBody(let file, let lines):
      "\(file):\(lines.lowerBound): no frame of lines \(lines.lowerBound) to \(lines.upperBound) "
        + "shows shoulders, hips, knees and ankles, which give the body its size; remove these "
        + "lines, or raise the clip break so that they join their neighbors"
    case .invalidOption(let name, let found, let allowed, let names):
      "\(name) cannot be `\(found)`; \(NearestNames.hint(found, among: names))give \(allowed)"
    case .repeatedName(let name):
      "two sequences would be called `\(name)`; rename one of the files or import them apart"
    case .unusableLabels(let sequence, let error):
      "\(sequence), label \(error.segment + 1): \(error)"
    default: ""
    }
  }

  private var motionMessage: String {
    switch self {
    case .unreadableJSON(let file, let problem):
      "\(file): not readable as JSON motion capture: \(problem); give the file as it was published"
    case .unexpectedValue(let file, let path, let found, let allowed):
      "\(file): \(path) is \(found); give \(allowed)"
    case .skeletonCount(let found):
      found.isEmpty
        ? "no file holds a `Skeleton`; give the skeleton file beside the motions"
        : "\(Self.list(found)) each hold a `Skeleton`; give one, and its motions only"
    case .noMotion(let skeleton):
      "\(skeleton) holds a skeleton but no file holds `Frames`; give at least one motion"
    case .missingJoints(let file, let names):
      "\(file): the skeleton has no \(Self.list(names)); use one with shoulders, elbows, wrists, "
        + "hips, knees and ankles"
    default: ""
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}
