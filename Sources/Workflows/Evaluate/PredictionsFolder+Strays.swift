internal import FoundationEssentials

extension PredictionsFolder {
  /// The files of answers that belong to no sequence of a dataset, sorted by name.
  ///
  /// A file of answers is a `.csv` whose header names `t`, `plank` and `form`; other tables, such
  /// as the spectra that `measure` writes beside them, are none.
  ///
  /// - Parameter names: the names of all sequences of the dataset, those of other splits included.
  func strays(_ names: Set<String>) -> [String] {
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return files.filter { file in
      file.lowercased().hasSuffix(".csv") && !names.contains(String(file.dropLast(4)))
        && isTable(path + "/" + file)
    }.sorted()
  }

  /// Checks that the sequences to score have answers, and says which files no sequence asks for.
  ///
  /// - Parameters:
  ///   - scored: the names of the sequences to score.
  ///   - all: the names of all sequences of the dataset.
  /// - Returns: a warning for people; nil where every file belongs to a sequence.
  /// - Throws: `WorkflowFailure` (`noInput`) for the first sequence without answers; it names the
  ///   stray files, because a sequence that was renamed leaves one.
  func check(scored: [String], all: [String]) throws(WorkflowFailure) -> String? {
    let strays = strays(Set(all))
    let words = strays.isEmpty ? nil : Self.sentence(strays)
    for name in scored {
      let file = path + "/" + name + ".csv"
      guard !FileManager.default.fileExists(atPath: file) else { continue }
      throw WorkflowFailure(
        .noInput,
        "\(file): no such file; write the answers of the sequence \(name)"
          + (words.map { ", or rename them where it was renamed: \(path): \($0)" } ?? ""))
    }
    return words.map {
      "warning: \(path): \($0), so nothing of it is scored; rename it as its sequence, add the "
        + "sequence to the manifest, or remove it"
    }
  }

  /// What stray files are, the first ones by name.
  private static func sentence(_ files: [String]) -> String {
    let shown = files.prefix(5).joined(separator: ", ")
    let rest = files.count > 5 ? " and \(files.count - 5) more" : ""
    return
      "\(shown)\(rest) \(files.count == 1 ? "belongs" : "belong") to no sequence of the dataset"
  }

  private func isTable(_ file: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: file) else { return false }
    let header = String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let names = header.split { $0 == "," || $0 == "\r" || $0 == "\u{FEFF}" }
    return ["t", "plank", "form"].allSatisfy { names.contains(Substring($0)) }
  }
}
