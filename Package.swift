// swift-tools-version: 6.2
import PackageDescription

/// Documentation needs more than a plain build; it is asked for by name.
let buildsDocumentation = Context.environment["PLANKLAB_DOCS"] != nil

/// A fuzzer needs a runtime that a plain build does not link; `scripts/fuzz` asks for it.
let buildsFuzzer = Context.environment["PLANKLAB_FUZZ"] != nil

#if os(Linux)
  /// Its pkg-config file has a flag that SwiftPM refuses with a warning; nothing else in it is needed.
  let simdjson: String? = nil
#else
  let simdjson: String? = "simdjson"
#endif

let package = Package(
  name: "PlankLab",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .library(name: "PoseModel", targets: ["PoseModel"]),
    .library(name: "PlankDetection", targets: ["PlankDetection"]),
    .library(name: "PoseRecording", targets: ["PoseRecording"]),
    .executable(name: "planklab", targets: ["planklab"]),
    .executable(name: "planklab-benchmarks", targets: ["planklab-benchmarks"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ]
    + (buildsDocumentation
      ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []),
  targets: [
    // 0: vocabulary and the doors to C
    .target(name: "PoseModel"),
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSimdjsonLibrary", pkgConfig: simdjson,
      providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
    .target(
      name: "CSimdjson", dependencies: ["CSimdjsonLibrary"],
      linkerSettings: [.linkedLibrary("simdjson")]),

    // 1: what an app ships, what an app records, what the bench reads
    .target(name: "PlankDetection", dependencies: ["PoseModel"]),
    .target(name: "PoseRecording", dependencies: ["PoseModel"]),
    .target(
      name: "PoseDatasets",
      dependencies: [
        "PoseModel", "PoseRecording", "CSimdjson", "CZlib", "CLibcrypto",
        .product(name: "Yams", package: "Yams"),
      ]),

    // 2: numbers and foreign poses
    .target(name: "Statistics", dependencies: ["CGSL"]),
    .target(name: "Evaluation", dependencies: ["PoseModel", "Statistics"]),
    .target(name: "PoseSynthesis", dependencies: ["PoseModel", "Statistics"]),

    .target(name: "CSweepKernels"),

    // What runs in a page: `scripts/build-page-detector` compiles it to WebAssembly
    .target(name: "PageDetector", dependencies: ["PlankDetection", "PoseModel"]),
    .target(name: "CPages", exclude: ["detector.wasm"]),

    // 3: tuning, and the runs that it keeps
    .target(
      name: "ParameterTuning",
      dependencies: [
        "PlankDetection", "Evaluation", "PoseModel", "Statistics", "CSweepKernels",
      ]),

    .target(
      name: "RunStore",
      dependencies: [
        "ParameterTuning", "Evaluation", "PoseModel",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // 4: a folder per command
    .target(
      name: "PlankBench",
      dependencies: [
        "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets",
        "PoseSynthesis", "Evaluation", "Statistics", "ParameterTuning", "RunStore",
        "PageDetector", "CPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Rendering/Page", "Label/Page", "Studio/Page", "Report/Page"]),

    // 5: the process
    .executableTarget(name: "planklab", dependencies: ["PlankBench"]),
    .executableTarget(
      name: "planklab-benchmarks",
      dependencies: [
        "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "ParameterTuning",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Tests
    .target(name: "TestSupport", dependencies: ["PoseModel"], path: "Tests/TestSupport"),
    .testTarget(name: "PoseModelTests", dependencies: ["PoseModel", "TestSupport"]),
    .testTarget(
      name: "PlankDetectionTests", dependencies: ["PlankDetection", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PageDetectorTests",
      dependencies: ["PageDetector", "PlankDetection", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PoseDatasetsTests",
      dependencies: ["PoseDatasets", "PoseRecording", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "PoseRecordingTests", dependencies: ["PoseRecording", "PoseModel", "TestSupport"]),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics"], exclude: ["Goldens"]),
    .testTarget(
      name: "EvaluationTests",
      dependencies: ["Evaluation", "PoseModel", "Statistics", "TestSupport"],
      exclude: ["Goldens"]),
    .testTarget(
      name: "PoseSynthesisTests", dependencies: ["PoseSynthesis", "PoseModel", "Statistics"]),
    .testTarget(
      name: "ParameterTuningTests",
      dependencies: [
        "ParameterTuning", "PlankDetection", "Evaluation", "PoseModel", "Statistics",
        "TestSupport",
      ],
      exclude: ["Smoothing/Goldens"]),
    .testTarget(
      name: "RunStoreTests",
      dependencies: [
        "RunStore", "ParameterTuning", "Evaluation", "PlankDetection", "PoseModel",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "AppSnippetsTests",
      dependencies: [
        "PlankDetection", "PoseRecording", "PoseDatasets", "PoseModel",
        "TestSupport",
      ],
      exclude: ["Thresholds/PlankThresholds.json", "Thresholds/CautiousThresholds.json"]),
    .testTarget(
      name: "PlankBenchTests",
      dependencies: [
        "PlankBench", "PoseDatasets", "PlankDetection", "PoseRecording", "PoseSynthesis",
        "Evaluation", "ParameterTuning", "PoseModel", "Statistics", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "planklab", "planklab-benchmarks", "PlankDetection", "PoseRecording", "PoseModel",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// The readers that are fuzzed, and what must hold of them: a test replays the corpora, and in its
/// place the fuzzer draws inputs.
let fuzzed: [Target.Dependency] = [
  "PlankBench", "PoseDatasets", "PoseRecording", "PlankDetection", "ParameterTuning", "RunStore",
  "Evaluation", "PoseModel",
  .product(name: "ArgumentParser", package: "swift-argument-parser"),
]
if buildsFuzzer {
  package.targets.removeAll { $0.isTest }
  package.targets.append(
    .executableTarget(
      name: "planklab-fuzz", dependencies: fuzzed, path: "Tests/FuzzTests",
      exclude: ["CorpusTests.swift", "Corpora"]))
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["Statistics"],
      exclude: ["Fuzzer.swift", "Corpora"]))
}

/// One list of settings for every Swift target of ours; warnings are errors everywhere.
for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
}

/// Whether this manifest is read for an app that depends on the package: from the app's
/// `checkouts`, or from the bare repository, whose root is "/", while versions are chosen.
let folders = Context.packageDirectory.split(separator: "/")
let isDependency = folders.isEmpty || folders.dropLast().last == "checkouts"

/// An app gets the libraries and nothing else: no package to resolve, no native library to miss.
if isDependency {
  let libraries = package.products.compactMap { $0 as? Product.Library }
  let linked = Set(libraries.flatMap(\.targets))
  package.products = libraries
  package.targets.removeAll { !linked.contains($0.name) }
  package.dependencies = []
}
