internal import FoundationEssentials
internal import PlankDetection
internal import Specifications

/// An experiment's file, and what its names stand for.
enum ExperimentFile {
  /// The name of the file in an experiment's folder.
  static let name = "experiment.yaml"

  /// Reads an experiment.
  ///
  /// Paths in the file are seen from the file's folder.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it,
  ///   `usage` for a mistake in an option.
  static func read(_ request: ExperimentRequest) throws(WorkflowFailure) -> Experiment {
    let file = path(of: request.file)
    let folder = parent(of: file)
    let text = try InputText.read(file)
    let context = ExperimentContext { name in
      let isBuiltIn = DetectorDefinition.builtIn(named: name) != nil
      return try DetectorChoice(name: isBuiltIn ? name : inside(folder, name)).resolve().0
    }
    let overrides = try request.overrides()
    do {
      return try ExperimentSpecification.parse(
        text, file: file, overrides: overrides, context: context)
    } catch {
      let message = "\(error)"
      throw WorkflowFailure(message.hasPrefix("--") ? .usage : .badData, message)
    }
  }

  /// The experiment's name: its folder's, or the file's without its ending.
  static func title(_ request: ExperimentRequest) -> String {
    var parts = path(of: request.file).split(separator: "/").map(String.init)
    guard let last = parts.popLast() else { return request.file }
    if last == name, let folder = parts.last(where: { $0 != "." && $0 != ".." }) { return folder }
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  /// The dataset's path, seen from the current folder.
  static func dataset(_ request: ExperimentRequest, _ experiment: Experiment) -> String {
    request.dataset ?? inside(parent(of: path(of: request.file)), experiment.dataset)
  }

  private static func path(of file: String) -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder else {
      return file
    }
    return (file.hasSuffix("/") ? file : file + "/") + name
  }

  private static func parent(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "" }
    return String(file[...slash])
  }

  private static func inside(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }
}
