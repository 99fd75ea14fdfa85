package import PoseModel

/// Reads poses that another program wrote and returns them as recordings with labels.
///
/// Foreign conventions end here: every source converts its axes, units, joint names and time base
/// into those of `Recording`, with sides unmirrored, and states its assumptions in notes. Sources
/// take texts or bytes and return values; they never access a file. A new source is one type that conforms.
package protocol PoseSource: Sendable {
  /// What is read: texts or bytes.
  associatedtype Input: NamedInput

  /// The name that selects the source, for example `mediapipe`.
  static var name: String { get }

  /// One sentence on what the source reads.
  static var summary: String { get }

  /// Whether each file is read without the others, so that several can be read at a time.
  static var readsFilesApart: Bool { get }

  /// Reads files that belong together and returns their sequences in order.
  ///
  /// - Parameter files: the files; if there are several, a source tells their roles by their
  ///   content.
  /// - Returns: at least one sequence; names are unique and safe as file names.
  /// - Throws: `PoseSourceError` for the first problem.
  func sequences(from files: [Input]) throws -> [ImportedSequence]
}

extension PoseSource {
  /// Files belong together unless a source says otherwise.
  package static var readsFilesApart: Bool { false }
}

/// A recording from elsewhere with its labels and provenance.
package struct ImportedSequence: Sendable {
  /// The name within a dataset: ASCII letters, digits, `.`, `_` and `-`.
  package var name: String
  /// The poses: unmirrored, in meters (in 2D, the skeleton's unit), times in whole microseconds.
  package var recording: Recording
  /// The labels; boundaries equal frame times.
  package var labels: LabelTrack
  /// Whether the recording starts inside a hold because it was cut from a longer one.
  package var startsMid: Bool
  /// Properties by which results can be grouped.
  package var tags: [String: String]
  /// What was assumed, changed or missing, in one sentence each.
  package var notes: [String]
  /// The path of the movie that it was made from and begins with, if that goes with it.
  package var video: String?

  /// Checks that no two sequences have the same name.
  ///
  /// - Throws: `PoseSourceError.repeatedName`.
  package static func requireUniqueNames(_ sequences: [ImportedSequence]) throws {
    var seen: Set<String> = []
    for sequence in sequences where !seen.insert(sequence.name).inserted {
      throw PoseSourceError.repeatedName(sequence.name)
    }
  }
}

extension ImportedSequence {
  /// Makes a sequence of a recording without labels, which does not start inside a hold.
  package init(name: String, unlabeled recording: Recording, notes: [String] = []) {
    self.init(
      name: name, recording: recording, labels: LabelTrack(), startsMid: false,
      tags: ["source": name], notes: notes)
  }
}

/// Why poses from elsewhere cannot be read.
package enum PoseSourceError: Error, Hashable, Sendable {
  /// A byte is not UTF-8.
  case notText(SourcePlace)
  /// A table has no row below its header.
  case emptyTable(file: String)
  /// Two columns of a table hold the same quantity.
  case repeatedColumn(SourcePlace, column: String)
  /// No column holds labels.
  case noLabelColumn(SourcePlace, expected: [String], columns: [String])
  /// A joint has only some of its coordinates.
  case incompleteLandmark(SourcePlace, landmark: String, missing: [String])
  /// Joints that give a body its size have no columns.
  case missingLandmarks(SourcePlace, [String])
  /// A row has more or fewer fields than the header.
  case wrongFieldCount(SourcePlace, found: Int, expected: Int)
  /// A coordinate is not a number.
  case notANumber(SourcePlace, column: String, found: String)
  /// Labels of the source have no class.
  case unmappedLabels(file: String, seen: [LabelCount], unmapped: [String])
  /// No frame of a stretch shows all joints that give a body its size.
  case unscalableBody(file: String, lines: ClosedRange<Int>)
  /// An option has a value that it cannot have; with the allowed names if it takes names.
  case invalidOption(String, found: String, allowed: String, names: [String] = [])
  /// Two sequences have the same name.
  case repeatedName(String)
  /// A text is not the JSON that it should be.
  case unreadableJSON(file: String, problem: String)
  /// A JSON value is not what is expected at its place.
  case unexpectedValue(file: String, path: String, found: String, allowed: String)
  /// Motion capture without a skeleton, or with several.
  case skeletonCount(found: [String])
  /// A skeleton without a motion.
  case noMotion(skeleton: String)
  /// A skeleton without joints that a recording needs.
  case missingJoints(file: String, [String])
  /// A file of arrays, or one array of it, is not what it should be.
  case unusableArray(name: String, ArrayProblem)
  /// An array has another shape than it needs, or values that cannot be.
  case unusableValues(name: String, found: String, remedy: String)
  /// Arrays that belong together are not all there.
  case missingArrays(file: String, missing: [String], found: [String])
  /// Labels that do not form a track.
  case unusableLabels(sequence: String, LabelTrackError)
  /// A mistake at a place of a file, in the words of whoever found it.
  case field(FieldError)
}

extension PoseSourceError: CustomStringConvertible {
  /// The place, what was found, what is allowed, and what to do.
  package var description: String {
    switch self {
    case .notText(let place):
      "\(place): a byte is not UTF-8; save the file as UTF-8 text"
    case .emptyTable(let file):
      "\(file): no row below the header; give a table with at least one frame"
    case .repeatedColumn(let place, let column):
      "\(place): the column `\(column)` repeats another one; remove or rename one"
    case .noLabelColumn(let place, let expected, let columns):
      "\(place): no label column (\(Self.list(expected))) among "
        + "\(Self.list(Array(columns.prefix(5))))...; give the column that holds the labels"
    case .incompleteLandmark(let place, let landmark, let missing):
      "\(place): `\(landmark)` has no column for \(missing.joined(separator: " and ")); "
        + "a joint needs x, y and z: add it, or remove the landmark's other columns"
    case .missingLandmarks(let place, let names):
      "\(place): no columns for \(Self.list(names)); shoulders, hips, knees and ankles give the body "
        + "its size: add them as NAME_x, NAME_y, NAME_z or x_NAME, y_NAME, z_NAME"
    case .wrongFieldCount(let place, let found, let expected):
      "\(place): \(CountText.of(found, "field")), but the header has \(expected); "
        + "complete or remove the row"
    case .notANumber(let place, let column, let found):
      "\(place): `\(found)` in the column `\(column)` is not a number; correct it, or leave it "
        + "empty for a missing joint"
    case .unmappedLabels, .unscalableBody, .invalidOption, .repeatedName, .unusableLabels:
      sequenceMessage
    case .unreadableJSON, .unexpectedValue, .skeletonCount, .noMotion, .missingJoints:
      motionMessage
    case .field(let error): "\(error)"
    case .unusableArray(let name, let problem): "\(name): \(problem.message)"
    case .unusableValues(let name, let found, let remedy): "\(name): \(found); \(remedy)"
    case .missingArrays(let file, let missing, let found):
      "\(file): no array called \(Self.list(missing)); found \(Self.foundArrays(found)); "
        + "give the arrays these names"
    }
  }

  private var sequenceMessage: String {
    switch self {
    case .unmappedLabels(let file, let seen, let unmapped):
      "\(file): no class is given for \(Self.list(unmapped)); the labels are "
        + "\(seen.map(\.description).joined(separator: ", ")). Map one as in "
        + "`\(unmapped.first ?? "label")=forearm/sag` or `\(unmapped.first ?? "label")=none`, omit "
        + "one with `=ignore`, or give one class to all others with `*=none`"
    case .unscalableBody(let file, let lines):
      "\(file):\(lines.lowerBound): no frame of lines \(lines.lowerBound) to \(lines.upperBound) "
        + "shows shoulders, hips, knees and ankles, which give the body its size; remove these "
        + "lines, or raise the clip break so that they join their neighbors"
    case .invalidOption(let name, let found, let allowed, let names):
      "\(name) cannot be `\(found)`; \(NearestNames.hint(found, among: names))give \(allowed)"
    case .repeatedName(let name):
      "two sequences would be called `\(name)`; rename one of the files or import them separately"
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

  private static func foundArrays(_ names: [String]) -> String {
    names.isEmpty ? "none" : list(names.prefix(8).map { String($0.prefix(40)) })
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}
