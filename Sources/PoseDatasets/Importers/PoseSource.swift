package import PoseModel

/// Reads poses in a foreign format and converts them to PlankLab's conventions.
///
/// Each source converts axes, units, joint names and times to those of `Recording`, with sides
/// unmirrored. Sources never access files.
package protocol PoseSource: Sendable {
  associatedtype Input: NamedInput

  static var name: String { get }

  static var readsFilesApart: Bool { get }

  /// Reads files that belong together into at least one sequence; names of sequences are unique and
  /// safe as file names.
  func sequences(from files: [Input]) throws -> [ImportedSequence]
}

extension PoseSource {
  package static var readsFilesApart: Bool { false }
}

package struct ImportedSequence: Sendable {
  package var name: String
  /// The poses: unmirrored, in meters (in 2D, in the skeleton's unit), times in whole microseconds.
  package var recording: Recording
  package var labels: LabelTrack
  /// Whether the recording starts inside a hold because it was cut from a longer recording.
  package var startsMid: Bool
  package var tags: [String: String]
  package var notes: [String]
  package var video: String?

  package static func requireUniqueNames(_ sequences: [ImportedSequence]) throws {
    var seen: Set<String> = []
    for sequence in sequences where !seen.insert(sequence.name).inserted {
      throw PoseSourceError.repeatedName(sequence.name)
    }
  }
}

extension ImportedSequence {
  package init(name: String, unlabeled recording: Recording, notes: [String] = []) {
    self.init(
      name: name, recording: recording, labels: LabelTrack(), startsMid: false,
      tags: ["source": name], notes: notes)
  }
}

package enum PoseSourceError: Error, Hashable, Sendable {
  case notText(SourcePlace)
  case emptyTable(file: String)
  case repeatedColumn(SourcePlace, column: String)
  case wrongFieldCount(SourcePlace, found: Int, expected: Int)
  case invalidOption(String, found: String, allowed: String, names: [String] = [])
  case repeatedName(String)
  case unreadableJSON(file: String, problem: String)
  case unexpectedValue(file: String, path: String, found: String, allowed: String)
  case skeletonCount(found: [String])
  case noMotion(skeleton: String)
  case missingJoints(file: String, [String])
  case unusableArray(name: String, ArrayProblem)
  case unusable(_ name: String, _ found: String, _ remedy: String)
  case missingArrays(file: String, missing: [String], found: [String])
  case unusableLabels(sequence: String, LabelTrackError)
  case field(FieldError)
}

extension PoseSourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notText(let place): "\(place): a byte is not UTF-8; save the file as UTF-8 text"
    case .emptyTable(let file):
      "\(file): no row below the header; give a table with at least one frame"
    case .repeatedColumn(let place, let column):
      "\(place): the column `\(column)` repeats another one; remove or rename one"
    case .wrongFieldCount(let place, let found, let expected):
      "\(place): \(CountText.of(found, "field")), but the header has \(expected); "
        + "complete or remove the row"
    case .field(let error): "\(error)"
    case .unusableArray(let name, let problem): "\(name): \(problem.message)"
    case .unusable(let name, let found, let remedy): "\(name): \(found); \(remedy)"
    case .missingArrays(let file, let missing, let found):
      "\(file): no array called \(Self.list(missing)); found "
        + (found.isEmpty ? "none" : Self.list(found.prefix(8).map { String($0.prefix(40)) })) + "; "
        + "give the arrays these names"
    case .invalidOption(let name, let found, let allowed, let names):
      "\(name) cannot be `\(found)`; \(NearestNames.hint(found, among: names))give \(allowed)"
    case .repeatedName(let name):
      "two sequences would be called `\(name)`; rename one of the files or import them separately"
    case .unusableLabels(let sequence, let error):
      "\(sequence), label \(error.segment + 1): \(error)"
    case .unreadableJSON(let file, let problem):
      "\(file): cannot be read as JSON motion capture: \(problem); give the unchanged published "
        + "file"
    case .unexpectedValue(let file, let path, let found, let allowed):
      "\(file): \(path) is \(found); give \(allowed)"
    case .skeletonCount(let found):
      found.isEmpty
        ? "no file holds a `Skeleton`; give the skeleton file beside the motions"
        : "\(Self.list(found)) each hold a `Skeleton`; give one, with only its motions"
    case .noMotion(let skeleton):
      "\(skeleton) holds a skeleton but no file holds `Frames`; give at least one motion"
    case .missingJoints(let file, let names):
      "\(file): the skeleton has no \(Self.list(names)); use one with shoulders, elbows, wrists, "
        + "hips, knees and ankles"
    }
  }

  static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
