internal import Reports

// Poses in movies by Apple Vision. The tests compile this file on every system, with stand-ins for
// Apple's declarations, because Vision exists only on Apple's systems.
#if PLANKLAB_MOVIE_STAND_INS
  import Foundation
  @testable import PlankBench
  import PoseDatasets
  import PoseModel
#elseif canImport(AVFoundation) && canImport(Vision)
  internal import AVFoundation
  internal import CoreGraphics
  internal import CoreMedia
  internal import CoreVideo
  internal import Foundation
  internal import ImageIO
  internal import PoseDatasets
  internal import PoseModel
  internal import Vision
#endif

#if PLANKLAB_MOVIE_STAND_INS || (canImport(AVFoundation) && canImport(Vision))
  /// Decodes every frame of the first video track, in the order in which frames are shown.
  ///
  /// Each frame has its own memory pool, because an hour of pictures does not fit into memory.
  struct VisionMovieReader: Sendable {
    let request: MovieRequest

    private struct Track {
      let track: AVAssetTrack
      let turn: MovieTurn
      let size: CGSize
      let rate: Float
      let range: CMTimeRange

      var shownSize: ImageSize {
        let (width, height) = (Int(size.width.rounded()), Int(size.height.rounded()))
        return turn.isSideways
          ? ImageSize(width: height, height: width) : ImageSize(width: width, height: height)
      }
    }

    func record(_ progress: @Sendable (Double) -> Void) async throws -> RecordedMovie {
      let asset = AVURLAsset(url: URL(fileURLWithPath: request.path))
      let track: Track
      do {
        track = try await self.track(of: asset)
      } catch let error where !(error is WorkflowFailure) {
        throw unreadable(error)
      }
      return try record(asset, track, progress)
    }

    private func track(of asset: AVURLAsset) async throws -> Track {
      guard let track = try await asset.loadTracks(withMediaType: .video).first else {
        throw WorkflowFailure(
          .badData, "\(request.path): has no video track; give a movie with pictures")
      }
      let (transform, size) = try await track.load(.preferredTransform, .naturalSize)
      let (rate, range) = try await track.load(.nominalFrameRate, .timeRange)
      return Track(
        track: track,
        turn: try MovieTurn(
          a: Double(transform.a), b: Double(transform.b), c: Double(transform.c),
          d: Double(transform.d), movie: request.path), size: size, rate: rate, range: range)
    }

    private func record(
      _ asset: AVURLAsset, _ track: Track, _ progress: (Double) -> Void
    ) throws -> RecordedMovie {
      let (reader, output) = try started(asset, track.track)
      defer { reader.cancelReading() }
      var assembler = MovieAssembler(request, imageSize: track.shownSize, rate: Double(track.rate))
      let detector = PoseDetector(request, turn: track.turn)
      let (start, length) = (track.range.start.seconds, track.range.duration.seconds)
      var place = 0
      var isOver = false
      while !isOver {
        isOver = try autoreleasepool {
          guard let sample = output.copyNextSampleBuffer() else { return true }
          guard sample.numSamples > 0 else { return false }  // a marker, not a frame
          let time = sample.presentationTimeStamp.seconds - start
          let choice = request.selection.choice(time: time, place: place)
          if choice == .take || choice == .leave { place += 1 }
          if choice == .take { try assembler.append(detector.frame(in: sample, at: time)) }
          if length > 0 { progress(time / length) }
          return choice == .over
        }
      }
      if reader.status == .failed { throw unreadable(reader.error) }
      return try assembler.finish()
    }

    private func started(
      _ asset: AVURLAsset, _ track: AVAssetTrack
    ) throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
      let reader: AVAssetReader
      do { reader = try AVAssetReader(asset: asset) } catch { throw unreadable(error) }
      let output = AVAssetReaderTrackOutput(
        track: track,
        outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
      output.alwaysCopiesSampleData = false
      guard reader.canAdd(output) else { throw unreadable(nil) }
      reader.add(output)
      guard reader.startReading() else { throw unreadable(reader.error) }
      return (reader, output)
    }

    private func unreadable(_ error: (any Error)?) -> WorkflowFailure {
      WorkflowFailure(
        .badData,
        "\(request.path): cannot be read as a movie"
          + (error.map { " (\($0.localizedDescription))" } ?? "")
          + "; if it plays in QuickTime Player, export it again from there")
    }
  }

  /// Uses one request per kind for all frames in order, as an app does.
  ///
  /// `frameAnalysisSpacing` is not used, because with it every frame had the same result.
  private final class PoseDetector {
    private let request: MovieRequest
    private let orientation: CGImagePropertyOrientation
    private let poses = VNDetectHumanBodyPose3DRequest()
    private let points = VNDetectHumanBodyPoseRequest()

    init(_ request: MovieRequest, turn: MovieTurn) {
      self.request = request
      orientation = turn.orientation
    }

    func frame(in sample: CMSampleBuffer, at time: Double) throws -> MovieFrame {
      var frame = MovieFrame(time: time)
      guard sample.imageBuffer != nil else {
        frame.hasPicture = false
        return frame
      }
      let handler = VNImageRequestHandler(cmSampleBuffer: sample, orientation: orientation)
      do {
        try handler.perform(request.findsPoints ? [poses, points] : [poses])
        if let person = poses.results?.first { try frame.take(person) }
        if request.findsPoints { frame.people = try (points.results ?? []).map { try $0.points() } }
      } catch {
        throw WorkflowFailure(
          .unexpected,
          "\(request.path): Vision failed at \(NumberText.shortest(time)) s "
            + "(\(error.localizedDescription)); it needs a Mac, not a simulator, and may fail in a "
            + "virtual machine; --with mediapipe works everywhere")
      }
      return frame
    }
  }

  extension MovieFrame {
    /// Takes a joint's `position`, which is relative to the pelvis, not its `localPosition`.
    fileprivate mutating func take(_ person: VNHumanBodyPose3DObservation) throws {
      var pose = Pose()
      for name in person.availableJointNames {
        let key = name.rawValue.rawValue
        guard let joint = Skeleton.vision3d.joint(visionKey: key) else { continue }
        let column = try person.recognizedPoint(name).position.columns.3
        pose[joint] = Vector3(Double(column.x), Double(column.y), Double(column.z))
      }
      self.pose = pose
      extras = FrameExtras(
        camera: CameraMatrix(columns: person.cameraOriginMatrix.columns),
        bodyHeight: Meters(Double(person.bodyHeight)),
        heightEstimation: person.heightEstimation == .measured ? .measured : .reference)
    }
  }

  extension VNHumanBodyPoseObservation {
    fileprivate func points() throws -> [Vision2DSource.Point] {
      try recognizedPoints(.all).compactMap { name, point in
        Skeleton.vision2d.joint(visionKey: name.rawValue.rawValue).map { joint in
          Vision2DSource.Point(
            joint, ImagePoint(x: Double(point.x), y: Double(point.y)), confidence: point.confidence)
        }
      }
    }
  }

  extension MovieTurn {
    fileprivate var orientation: CGImagePropertyOrientation {
      switch self {
      case .none: .up
      case .clockwise: .right
      case .upsideDown: .down
      case .counterclockwise: .left
      }
    }
  }
#endif
