internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import Tuning

/// The shell asks the program each time, so the names are current.
extension CompletionKind {
  static var folder: CompletionKind { .directory }

  static var recording: CompletionKind { .file(extensions: ["jsonl", "gz"]) }

  static var detector: CompletionKind {
    .custom { _, _, prefix in
      DetectorDefinition.builtIn.map(\.name) + Completions.paths(prefix, ["yaml", "yml"])
    }
  }

  static var smoothing: CompletionKind { .custom { _, _, _ in Completions.smoothing } }

  static var debounce: CompletionKind { .custom { _, _, _ in Completions.debounce } }

  static var strategy: CompletionKind {
    .custom { _, _, _ in Completions.smoothing + Completions.debounce }
  }

  static var assignment: CompletionKind {
    .custom { words, _, _ in
      Completions.parameters(of: words).map {
        "\($0.key.rawValue)=\(NumberText.shortest($0.defaultValue))"
      }
    }
  }

  static var map: CompletionKind {
    .custom { _, _, prefix in
      TableMap.ready.map(\.name) + Completions.paths(prefix, ["yaml", "yml"])
    }
  }

  static var metric: CompletionKind { .custom { _, _, _ in MetricKey.all.map(\.description) } }
}

enum Completions {
  static let smoothing = SmoothingKind.allCases.map(\.rawValue)
  static let debounce = StrategyCatalogue.debounce.map(\.name)

  static func parameters(of words: [String]) -> [ParameterDefinition] {
    let flag = "--detector"
    let joined = words.last { $0.hasPrefix(flag + "=") }?.dropFirst(flag.count + 1)
    let separate = words.lastIndex(of: flag).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    let name = joined.map(String.init) ?? separate
    return name.flatMap(DetectorDefinition.builtIn(named:))?.parameters
      ?? ParameterCatalogue.definitions
  }

  /// The folders, and the files with some extensions, that can complete a path.
  ///
  /// bash expands what a completion offers, so that the name `$(command)` of a file in a downloaded
  /// folder would run the command: only names that no shell changes are offered.
  static func paths(_ prefix: String, _ extensions: [String]) -> [String] {
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let folder = String(prefix[..<end])
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { $0.hasPrefix(prefix[end...]) && !$0.hasPrefix(".") }.sorted().compactMap {
      let path = folder + $0
      guard ShellWord.quoted(path) == path else { return nil }
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder { return path + "/" }
      return extensions.contains { path.hasSuffix("." + $0) } ? path : nil
    }
  }
}
