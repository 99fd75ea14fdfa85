internal import FoundationEssentials
internal import PoseDatasets

/// Which program this is, exactly: two of the same text give the same numbers.
enum ProgramIdentity {
  /// Version and hash of the executable, the latter left out where it cannot be read.
  static func text() throws(WorkflowFailure) -> String {
    let name = "planklab \(Provenance.version)"
    let places = ["/proc/self/exe", CommandLine.arguments.first].compactMap(\.self)
    for place in places {
      guard let data = FileManager.default.contents(atPath: place), !data.isEmpty else { continue }
      let digest = try DatasetAccess.failing { () throws(DatasetError) in
        try SHA256Digest(of: Array(data))
      }
      return "\(name) (\("\(digest)".prefix(16)))"
    }
    return name
  }
}
