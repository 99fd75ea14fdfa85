// Stand-ins for the declarations of AVFoundation, Core Media, Core Video and ImageIO that
// `VisionMovieReader` uses. Names and signatures are the frameworks'; movies are values of tests.

import Foundation
import Synchronization

struct StandInMovie: Sendable {
  struct Sample: Sendable {
    var time: Double
    var scene: StandInScene?
    var isMark = false
  }

  var transform = CGAffineTransform()
  var size = CGSize(width: 1920, height: 1080)
  var start = 0.0
  var samples: [Sample] = []
  var hasVideo = true
  /// Where reading fails; nil if it does not.
  var failsAfter: Int?

  static let all = Mutex<[String: StandInMovie]>([:])
}

struct StandInError: Error, LocalizedError {
  var errorDescription: String? { "the stand-in failed" }
}

enum StandInPool {
  @TaskLocal static var isOpen = false
  static let readOutside = Mutex(0)
}

func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try StandInPool.$isOpen.withValue(true) { try body() }
}

struct CMTime: Sendable {
  var seconds: Double
}

struct CMTimeRange: Sendable {
  var start: CMTime
  var duration: CMTime
}

struct CGAffineTransform: Sendable {
  var a: CGFloat = 1
  var b: CGFloat = 0
  var c: CGFloat = 0
  var d: CGFloat = 1
}

enum CGImagePropertyOrientation: UInt32 {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

final class CVPixelBuffer: Sendable {
  let scene: StandInScene

  init(scene: StandInScene) { self.scene = scene }
}

let kCVPixelBufferPixelFormatTypeKey = "PixelFormatType"
// swift-format-ignore: AlwaysUseLowerCamelCase
let kCVPixelFormatType_32BGRA: UInt32 = 0x4247_5241

struct CMSampleBuffer {
  var imageBuffer: CVPixelBuffer?
  var presentationTimeStamp: CMTime
  var numSamples: Int
}

struct AVMediaType: Equatable {
  static let video = AVMediaType()
}

struct AVAsyncProperty<Root, Value>: Sendable {
  let value: @Sendable (StandInMovie) -> Value
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CGAffineTransform {
  static var preferredTransform: Self { Self { $0.transform } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CGSize {
  static var naturalSize: Self { Self { $0.size } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == Float {
  static var nominalFrameRate: Self { Self { _ in 30 } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CMTimeRange {
  static var timeRange: Self {
    Self { movie in
      let last = movie.samples.last?.time ?? movie.start
      return CMTimeRange(
        start: CMTime(seconds: movie.start), duration: CMTime(seconds: last - movie.start))
    }
  }
}

final class AVAssetTrack: Sendable {
  fileprivate let movie: StandInMovie

  fileprivate init(_ movie: StandInMovie) { self.movie = movie }

  func load<A, B>(
    _ propertyA: AVAsyncProperty<AVAssetTrack, A>, _ propertyB: AVAsyncProperty<AVAssetTrack, B>
  ) async throws -> (A, B) {
    (propertyA.value(movie), propertyB.value(movie))
  }
}

final class AVURLAsset: Sendable {
  let url: URL

  init(url: URL) { self.url = url }

  func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    guard let movie = StandInMovie.all.withLock({ $0[url.path] }) else { throw StandInError() }
    return movie.hasVideo ? [AVAssetTrack(movie)] : []
  }
}

final class AVAssetReaderTrackOutput {
  var alwaysCopiesSampleData = true
  fileprivate weak var reader: AVAssetReader?
  private let movie: StandInMovie
  private var next = 0

  init(track: AVAssetTrack, outputSettings: [String: Any]?) { movie = track.movie }

  func copyNextSampleBuffer() -> CMSampleBuffer? {
    if !StandInPool.isOpen { StandInPool.readOutside.withLock { $0 += 1 } }
    if let limit = movie.failsAfter, next >= limit {
      reader?.status = .failed
      return nil
    }
    guard next < movie.samples.count else {
      reader?.status = .completed
      return nil
    }
    let sample = movie.samples[next]
    next += 1
    return CMSampleBuffer(
      imageBuffer: sample.scene.map(CVPixelBuffer.init),
      presentationTimeStamp: CMTime(seconds: sample.time), numSamples: sample.isMark ? 0 : 1)
  }
}

final class AVAssetReader {
  enum Status {
    case unknown, reading, completed, failed, cancelled
  }

  fileprivate(set) var status = Status.unknown
  var error: (any Error)? { status == .failed ? StandInError() : nil }

  init(asset: AVURLAsset) throws {}

  func canAdd(_ output: AVAssetReaderTrackOutput) -> Bool { true }

  func add(_ output: AVAssetReaderTrackOutput) { output.reader = self }

  func startReading() -> Bool {
    status = .reading
    return true
  }

  func cancelReading() {
    if status == .reading { status = .cancelled }
  }
}

// Stand-ins for the declarations of Vision that `VisionMovieReader` uses. Names and signatures are
// the framework's; what it finds is what the test put into the picture.

struct StandInScene: Sendable {
  /// The only orientation in which anybody is found.
  var orientation = CGImagePropertyOrientation.up
  var person: VNHumanBodyPose3DObservation?
  var people: [VNHumanBodyPoseObservation] = []
  var isBroken = false
}

struct FloatMatrix: Sendable {
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
}

struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
  let rawValue: String
}

struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
  let rawValue: String
}

struct VNHumanBodyRecognizedPoint3D: Sendable {
  let position: FloatMatrix
  /// Relative to the parent joint: nobody should record it.
  var localPosition: FloatMatrix {
    FloatMatrix(columns: (SIMD4(), SIMD4(), SIMD4(), [9, 9, 9, 1]))
  }
}

final class VNHumanBodyPose3DObservation: Sendable {
  struct JointName: RawRepresentable, Hashable, Sendable {
    let rawValue: VNRecognizedPointKey
  }

  enum HeightEstimation: Int, Sendable {
    case reference, measured
  }

  let bodyHeight: Float
  let heightEstimation: HeightEstimation
  let cameraOriginMatrix: FloatMatrix
  private let positions: [JointName: FloatMatrix]

  init(
    positions: [JointName: FloatMatrix], bodyHeight: Float, heightEstimation: HeightEstimation,
    cameraOriginMatrix: FloatMatrix
  ) {
    self.positions = positions
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
    self.cameraOriginMatrix = cameraOriginMatrix
  }

  var availableJointNames: [JointName] { Array(positions.keys) }

  func recognizedPoint(_ jointName: JointName) throws -> VNHumanBodyRecognizedPoint3D {
    guard let position = positions[jointName] else { throw StandInError() }
    return VNHumanBodyRecognizedPoint3D(position: position)
  }
}

struct VNRecognizedPoint: Sendable {
  let x: Double
  let y: Double
  let confidence: Float
}

final class VNHumanBodyPoseObservation: Sendable {
  struct JointName: RawRepresentable, Hashable, Sendable {
    let rawValue: VNRecognizedPointKey
  }

  struct JointsGroupName: RawRepresentable, Hashable, Sendable {
    static let all = JointsGroupName(rawValue: VNRecognizedPointGroupKey(rawValue: "VNIPOAll"))
    let rawValue: VNRecognizedPointGroupKey
  }

  private let found: [JointName: VNRecognizedPoint]

  init(points: [JointName: VNRecognizedPoint]) { found = points }

  func recognizedPoints(_ groupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
    groupName == .all ? found : [:]
  }
}

class VNRequest {
  fileprivate func look(at scene: StandInScene?) {}
}

final class VNDetectHumanBodyPose3DRequest: VNRequest {
  private(set) var results: [VNHumanBodyPose3DObservation]?

  override fileprivate func look(at scene: StandInScene?) {
    results = (scene?.person).map { [$0] } ?? []
  }
}

final class VNDetectHumanBodyPoseRequest: VNRequest {
  private(set) var results: [VNHumanBodyPoseObservation]?

  override fileprivate func look(at scene: StandInScene?) { results = scene?.people ?? [] }
}

struct VNImageOption: RawRepresentable, Hashable {
  let rawValue: String
}

final class VNImageRequestHandler {
  private let scene: StandInScene?
  private let orientation: CGImagePropertyOrientation

  init(
    cmSampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    scene = cmSampleBuffer.imageBuffer?.scene
    self.orientation = orientation
  }

  func perform(_ requests: [VNRequest]) throws {
    if scene?.isBroken ?? false { throw StandInError() }
    let isUpright = scene?.orientation == orientation
    for request in requests { request.look(at: isUpright ? scene : nil) }
  }
}
