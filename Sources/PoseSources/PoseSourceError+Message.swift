import PoseModel

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
    case .invalidOption(let name, let found, let allowed):
      "\(name) cannot be `\(found)`; give \(allowed)"
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
