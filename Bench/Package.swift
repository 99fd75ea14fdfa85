// swift-tools-version: 6.3
import PackageDescription

/// A fuzzer needs a runtime that a plain build does not link; `scripts/fuzz` asks for it.
let buildsFuzzer = Context.environment["PLANKLAB_FUZZ"] != nil

/// What apps link: the package above this folder.
let poseModel: Target.Dependency = .product(name: "PoseModel", package: "PlankLab")
let plankDetection: Target.Dependency = .product(name: "PlankDetection", package: "PlankLab")
let poseRecording: Target.Dependency = .product(name: "PoseRecording", package: "PlankLab")

let package = Package(
  name: "PlankLabBench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "planklab", targets: ["planklab"]),
    .executable(name: "planklab-benchmarks", targets: ["planklab-benchmarks"]),
  ],
  dependencies: [
    // By name, because the folder may be called anything.
    .package(name: "PlankLab", path: ".."),
    .package(
      url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
  ],
  targets: [
    // 0: the doors to the platform and to C
    .target(name: "LibC"),
    .target(name: "Essentials"),
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    // 1: what the bench reads
    .target(
      name: "PoseDatasets",
      dependencies: [
        "LibC", poseModel, poseRecording, "CZlib", "CLibcrypto",
        .product(name: "Yams", package: "Yams"),
      ]),

    // 2: numbers and foreign poses
    .target(name: "Statistics", dependencies: ["CGSL"]),
    .target(name: "Evaluation", dependencies: [poseModel, "Statistics"]),
    .target(name: "PoseSynthesis", dependencies: ["LibC", poseModel, "Statistics"]),

    .target(name: "Parallelism", dependencies: ["LibC"]),
    .target(name: "CSweepKernels"),

    // What runs in a page: `scripts/build-page-detector` compiles it to WebAssembly
    .target(name: "PageDetector", dependencies: [plankDetection, poseModel]),
    .target(name: "CPages", exclude: ["detector.wasm"]),

    // 3: tuning, and the runs that it keeps
    .target(
      name: "ParameterTuning",
      dependencies: [
        "LibC", plankDetection, "Evaluation", "Parallelism", poseModel, "Statistics",
        "CSweepKernels",
      ]),

    .target(
      name: "RunStore",
      dependencies: [
        "Essentials",
        "ParameterTuning", "Evaluation", poseModel,
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // 4: a folder per command
    .target(
      name: "PlankBench",
      dependencies: [
        "LibC", "Essentials",
        poseModel, plankDetection, poseRecording, "PoseDatasets",
        "PoseSynthesis", "Evaluation", "Parallelism", "Statistics", "ParameterTuning", "RunStore",
        "PageDetector", "CPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: [
        "Pages/Page", "Rendering/Page", "Label/Page", "Studio/Page", "Report/Page",
        "Record/Script",
      ]),

    // 5: the process
    .executableTarget(name: "planklab", dependencies: ["PlankBench"]),
    .executableTarget(
      name: "planklab-benchmarks",
      dependencies: [
        "LibC",
        poseModel, plankDetection, "PoseDatasets", "Evaluation", "ParameterTuning",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Tests
    .target(name: "TestSupport", dependencies: ["LibC", poseModel], path: "Tests/TestSupport"),
    .testTarget(name: "PoseModelTests", dependencies: [poseModel, "TestSupport"]),
    .testTarget(
      name: "PlankDetectionTests", dependencies: [plankDetection, poseModel, "TestSupport"]),
    .testTarget(
      name: "PageDetectorTests",
      dependencies: ["PageDetector", plankDetection, poseModel, "TestSupport"]),
    .testTarget(
      name: "PoseDatasetsTests",
      dependencies: ["PoseDatasets", poseRecording, poseModel, "TestSupport"]),
    .testTarget(
      name: "PoseRecordingTests", dependencies: [poseRecording, poseModel, "TestSupport"]),
    .testTarget(name: "ParallelismTests", dependencies: ["LibC", "Parallelism"]),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "EvaluationTests",
      dependencies: ["Evaluation", poseModel, "Statistics", "TestSupport"],
      exclude: ["Goldens"]),
    .testTarget(
      name: "PoseSynthesisTests", dependencies: ["PoseSynthesis", poseModel, "Statistics"]),
    .testTarget(
      name: "ParameterTuningTests",
      dependencies: [
        "ParameterTuning", plankDetection, "Evaluation", poseModel, "Statistics",
        "TestSupport",
      ],
      exclude: ["Smoothing/Goldens"]),
    .testTarget(
      name: "RunStoreTests",
      dependencies: [
        "Essentials",
        "RunStore", "ParameterTuning", "Evaluation", plankDetection, poseModel, "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "AppSnippetsTests",
      dependencies: [
        plankDetection, poseRecording, "PoseDatasets", poseModel,
        "TestSupport",
      ],
      exclude: ["Thresholds/PlankThresholds.json", "Thresholds/CautiousThresholds.json"],
      // As in a new app project; Vision's types have stand-ins.
      swiftSettings: [.defaultIsolation(MainActor.self), .define("PLANKLAB_VISION_STAND_INS")]),
    .testTarget(
      name: "PlankBenchTests",
      dependencies: [
        "PlankBench", "PoseDatasets", plankDetection, poseRecording, "PoseSynthesis",
        "Evaluation", "ParameterTuning", poseModel, "Statistics", "TestSupport", "PageDetector",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "MovieTests", dependencies: ["PlankBench", "PoseDatasets", poseModel, "TestSupport"],
      // What reads movies with Apple's frameworks, against stand-ins for them.
      swiftSettings: [.define("PLANKLAB_MOVIE_STAND_INS")]),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "planklab", "planklab-benchmarks", plankDetection, poseRecording, poseModel,
        "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

/// The readers that are fuzzed, and what must hold of them: a test replays the corpora, and in its
/// place the fuzzer draws inputs.
let fuzzed: [Target.Dependency] = [
  "PlankBench", "PoseDatasets", "PoseSynthesis", poseRecording, plankDetection, "ParameterTuning",
  "RunStore", "Evaluation", poseModel,
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

/// One list of settings for every Swift target of ours.
for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
