/// What each of our targets may import: this table is the authority on the walls.
enum ImportTable {
  /// The C library of each platform, which the libraries import by its own name; no Foundation.
  ///
  /// `EmbeddedMath` stands for C's math where the library is compiled as Embedded Swift.
  static let libraries: Set<String> = ["Glibc", "Musl", "Darwin", "EmbeddedMath"]
  /// What math, files or time need in the bench: `LibC` is the C library of any platform.
  static let platform: Set<String> = ["LibC", "Synchronization"]
  /// The imports allowed where text, dates or files are handled: all of Foundation, or the part
  /// that keeps a static program small.
  static let foundation: Set<String> = ["Foundation", "Essentials"]

  /// Every Swift target with the modules that it may import.
  static let allowed: [String: Set<String>] = [
    "PoseModel": libraries,
    "PlankDetection": libraries.union(["PoseModel"]),
    "PoseRecording": libraries.union(["PoseModel"]),
    "LibC": ["Glibc", "Musl", "Darwin"],
    "Essentials": ["Foundation", "FoundationEssentials"],
    "PageDetector": ["PlankDetection", "PoseModel"],
    "PoseDatasets": platform.union(foundation).union([
      "PoseModel", "PoseRecording", "Yams", "CSimdjson", "CZlib", "CLibcrypto",
    ]),
    "Parallelism": ["Synchronization"],
    "Statistics": ["CGSL"],
    "Evaluation": ["PoseModel", "Statistics"],
    "PoseSynthesis": platform.union(["PoseModel", "Statistics"]),
    "ParameterTuning": platform.union([
      "PlankDetection", "Evaluation", "Parallelism", "PoseModel", "Statistics", "CSweepKernels",
    ]),
    "RunStore": ["Essentials", "ParameterTuning", "Evaluation", "PoseModel", "GRDB"],
    "PlankBench": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets",
      "PoseSynthesis", "Evaluation", "Parallelism", "Statistics", "ParameterTuning", "RunStore",
      "PageDetector", "CPages",
      "ArgumentParser",
    ]),
    "planklab": ["PlankBench"],
    "planklab-benchmarks": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "ParameterTuning",
      "ArgumentParser",
    ]),
  ]

  /// Targets that hold C or C++ and no Swift.
  static let doorsToC: Set<String> = [
    "CGSL", "CZlib", "CLibcrypto", "CSimdjson", "CSimdjsonLibrary", "CSweepKernels",
    "CPages",
  ]
}
