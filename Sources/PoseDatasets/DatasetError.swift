internal import PoseModel
package import PoseRecording

package enum DatasetError: Error, Hashable, Sendable {
  case missingFile(path: String)
  case directoryForFile(path: String)
  case notAFile(path: String)
  /// `code` is `errno`.
  case unreadableFile(path: String, code: Int32)
  case invalidText(file: String, line: Int?, problem: TextProblem)
  case invalidRecording(file: String, line: Int?, problem: RecordingProblem)
  case invalidLabels(file: String, line: Int?, problem: LabelsProblem)
  case invalidManifest(FieldError)
  case unknownSplit(file: String, found: String, known: [String])
  case hashingFailed

  package var isMissingInput: Bool {
    switch self {
    case .missingFile, .directoryForFile, .notAFile, .unreadableFile: true
    default: false
    }
  }

  package var file: String {
    switch self {
    case .missingFile(let path), .directoryForFile(let path), .notAFile(let path),
      .unreadableFile(let path, _):
      path
    case .invalidText(let file, _, _), .invalidRecording(let file, _, _),
      .invalidLabels(let file, _, _), .unknownSplit(let file, _, _):
      file
    case .invalidManifest(let error): error.file
    case .hashingFailed: "libcrypto"
    }
  }

  package var line: Int? {
    switch self {
    case .invalidText(_, let line, _), .invalidRecording(_, let line, _),
      .invalidLabels(_, let line, _):
      line
    case .invalidManifest(let error): error.line
    default: nil
    }
  }
}

extension DatasetError: CustomStringConvertible {
  package var message: String {
    switch self {
    case .missingFile: "there is no such file"
    case .directoryForFile: "found a folder; allowed: a file"
    case .notAFile: "found a pipe or a device; allowed: a file"
    case .unreadableFile(_, let code): "cannot be opened (\(FileDescriptor.message(of: code)))"
    case .invalidText(_, _, let problem): problem.message
    case .invalidRecording(_, _, let problem): problem.message
    case .invalidLabels(_, _, let problem): problem.message
    case .invalidManifest(let error): error.message
    case .unknownSplit(_, let found, let known):
      "found the split `\(found)`; allowed: "
        + (known.isEmpty ? "none, as no sequence names one" : known.joined(separator: ", "))
    case .hashingFailed: "SHA-256 could not be computed"
    }
  }

  package var remedy: String {
    switch self {
    case .missingFile: "check the path"
    case .directoryForFile: "name a file inside the folder"
    case .notAFile: "save its output to a file and give that file"
    case .unreadableFile(_, let code):
      FileDescriptor.remedy(forLimit: code) ?? "check its permissions"
    case .invalidText(_, _, let problem): problem.remedy
    case .invalidRecording(_, _, let problem): problem.remedy
    case .invalidLabels(_, _, let problem): problem.remedy
    case .invalidManifest(let error): error.remedy
    case .unknownSplit(_, let found, let known):
      NearestNames.hint(found, among: known) + "choose one of the splits, or leave out the choice"
    case .hashingFailed: "check that the library is installed and offers SHA-256"
    }
  }

  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message); \(remedy)"
  }
}
