internal import PoseModel
package import PoseRecording

/// A dataset, recording or label file that cannot be read.
package enum DatasetError: Error, Hashable, Sendable {
  /// There is no such file or folder.
  case missingFile(path: String)
  /// A folder is in the place of a file.
  case directoryForFile(path: String)
  /// A pipe or a device is in the place of a file.
  case notAFile(path: String)
  /// An existing file or folder cannot be opened.
  ///
  /// - Parameter code: the operating system's code (`errno`).
  case unreadableFile(path: String, code: Int32)
  /// A file that is not proper text.
  case invalidText(file: String, line: Int?, problem: TextProblem)
  /// A recording that breaks the format.
  case invalidRecording(file: String, line: Int?, problem: RecordingProblem)
  /// A label file that breaks the format.
  case invalidLabels(file: String, line: Int?, problem: LabelsProblem)
  /// A manifest that breaks the format.
  case invalidManifest(FieldError)
  /// A split that no sequence of the dataset is in.
  case unknownSplit(file: String, found: String, known: [String])
  /// The cryptographic library failed.
  case hashingFailed

  /// Whether an input is missing, as opposed to bad.
  package var isMissingInput: Bool {
    switch self {
    case .missingFile, .directoryForFile, .notAFile, .unreadableFile: true
    default: false
    }
  }

  /// The file concerned.
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

  /// The line concerned, from 1, if there is one.
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
  /// The problem without its place and remedy.
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

  /// What to do about it.
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

  /// Place, problem and remedy.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message); \(remedy)"
  }
}
