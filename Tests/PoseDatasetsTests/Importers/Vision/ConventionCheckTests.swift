import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Convention checks") struct ConventionCheckTests {
  static let planted = CameraConvention.hypotheses.flatMap { [$0, $0.turnedOver(true)] }

  @Test("Each planted convention is found, with and without noise", arguments: planted, [0, 2.0])
  func found(convention: CameraConvention, noise: Double) throws {
    let dump = DumpText(convention: convention, noisePixels: noise)
    let check = try #require(try VisionSource().conventionCheck(of: dump.file))
    #expect(check.verdict == .accepted(convention), "\(check.residualText)")
    #expect(check.fits[0].convention == convention)
    let residual = try #require(check.fits[0].residualPixels)
    #expect(abs(residual - noise * 2.0.squareRoot()) < 0.15 * noise + 1e-2)
  }

  @Test("A file of any convention is imported into the standard one", arguments: planted)
  func standardized(convention: CameraConvention) throws {
    let dump = DumpText(convention: convention, noisePixels: 1)
    let sequence = try imported(dump)
    let truth = DumpText.session.recording(dump.camera)
    for frame in 0..<truth.frameCount {
      for joint in truth.header.joints {
        let seen = try #require(sequence.recording.evaluatedPosition(of: joint, at: frame))
        let expected = try #require(truth.position(of: joint, at: frame))
        #expect((seen - expected).norm < 1e-5)
      }
    }
    #expect(sequence.notes.contains { $0.contains("found to be \(convention)") })
  }

  @Test("A file whose images none explains is rejected with all residuals")
  func rejected() throws {
    let dump = DumpText(noisePixels: 60)
    let check = try #require(try VisionSource().conventionCheck(of: dump.file))
    #expect(check.verdict == .rejected)
    #expect(check.hints.isEmpty)
    let error = try #require(throws: PoseSourceError.self) { try imported(dump) }
    for hypothesis in CameraConvention.Direction.allCases {
      let words = hypothesis == .pelvisToCamera ? "pelvis to camera" : "camera to pelvis"
      #expect(error.description.contains(words))
    }
    #expect(error.description.contains(" px"))
    #expect(error.description.hasPrefix("dumps/anna.jsonl"))
  }

  @Test("Points from the upper left corner are rejected with that hint")
  func flipped() throws {
    let dump = DumpText(noisePixels: 1, distort: { u, v in (u, DumpText.height - v) })
    let error = try #require(throws: PoseSourceError.self) { try imported(dump) }
    #expect(error.description.contains("lower left"))
  }

  @Test("Positions that are in if positions are in camera axes are rejected with that hint")
  func alreadyTurned() throws {
    var samples: [ProjectionFit.Sample] = []
    let recording = DumpText.session.recording(DumpText().camera)
    let pelvis = DumpText().recording
    let intrinsics = CameraIntrinsics(
      focalLengthPixels: 1400, imageWidthPixels: 1080, imageHeightPixels: 1920)
    for frame in 0..<recording.frameCount {
      let matrix = try #require(pelvis.camera(at: frame))
      for joint in recording.header.joints {
        let position = try #require(recording.position(of: joint, at: frame))
        let image = try #require(intrinsics.project(position + matrix.translation))
        samples.append(
          ProjectionFit.Sample(
            position: position, matrix: matrix, u: image.x * 1080, v: image.y * 1920))
      }
    }
    let check = ConventionCheck(
      samples: samples, imageWidthPixels: 1080, imageHeightPixels: 1920)
    #expect(check.verdict == .rejected)
    #expect(check.hints.contains { $0.contains("if positions are in camera axes") })
  }

  @Test("A person seen from one side only leaves the question open; the standard reading stands")
  func ambiguous() throws {
    // Seen exactly from behind the matrix is its own inverse.
    let session = ScriptedSession([.standing: 1], rate: 5)
    let recording = session.pelvisRecording(ScriptedCamera(azimuth: Degrees(270)))
    let intrinsics = CameraIntrinsics(
      focalLengthPixels: 1400, imageWidthPixels: 1080, imageHeightPixels: 1920)
    var samples: [ProjectionFit.Sample] = []
    for frame in 0..<recording.frameCount {
      let matrix = try #require(recording.camera(at: frame))
      for joint in recording.header.joints {
        let position = try #require(recording.position(of: joint, at: frame))
        let image = try #require(intrinsics.project(matrix(position)))
        samples.append(
          ProjectionFit.Sample(
            position: position, matrix: matrix, u: image.x * 1080, v: image.y * 1920))
      }
    }
    let check = ConventionCheck(
      samples: samples, imageWidthPixels: 1080, imageHeightPixels: 1920)
    guard case .ambiguous(let conventions) = check.verdict else {
      Issue.record("\(check.verdict): \(check.residualText)")
      return
    }
    #expect(conventions.contains(.standard))
  }

  @Test("Taken as assumed, a file is imported whatever its images show")
  func assumed() throws {
    let dump = DumpText(noisePixels: 60)
    let sequence = try imported(dump, options: VisionOptions(matrices: .assumed))
    #expect(sequence.notes.contains { $0.contains("unchecked") })
  }
}
