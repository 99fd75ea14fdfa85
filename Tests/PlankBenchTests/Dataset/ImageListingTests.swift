import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import Testing

@testable import PlankBench

@Suite("Joints of a moment in 2D")
struct ImageListingTests {
  /// A recording of three joints, the last of them missing, in one frame.
  private func recording(_ skeleton: Skeleton, size: ImageSize?) -> Recording {
    var header = RecordingHeader(
      skeleton: skeleton, joints: [.leftShoulder, .rightShoulder, .leftHip], frame: .image)
    header.imageSize = size
    var recording = Recording(header: header)
    let pose: [Float] =
      skeleton == .coco17
      ? [270, 480, 810, 480, .nan, .nan] : [0.25, 0.75, 0.75, 0.75, .nan, .nan]
    let confidences: [Float] = [0.5, 1, 0]
    pose.withUnsafeBufferPointer { pose in
      confidences.withUnsafeBufferPointer {
        recording.append(time: 2, pose: pose, confidences: $0)
      }
    }
    return recording
  }

  private func listing(_ skeleton: Skeleton, size: ImageSize?) -> ImageListing {
    ImageListing(
      name: "a", recording: recording(skeleton, size: size), frame: 0, size: size)
  }

  private struct Joint: Decodable {
    let joint: String
    let visionKey: String?
    let groups: [String]
    let position: [Double]?
    let pixel: [Double]?
    let confidence: Double?

    enum CodingKeys: String, CodingKey {
      case joint, groups, position, pixel, confidence
      case visionKey = "vision_key"
    }
  }

  private func joints(_ listing: ImageListing) throws -> [Joint] {
    struct Listing: Decodable { let joints: [Joint] }
    return try JSONDecoder().decode(Listing.self, from: Data(JSONText.of(listing).utf8)).joints
  }

  @Test(
    "Pixels are counted from the lower left corner, whatever a skeleton's own origin",
    arguments: [Skeleton.vision2d, .coco17])
  func pixels(skeleton: Skeleton) throws {
    let found = try joints(listing(skeleton, size: ImageSize(width: 1080, height: 1920)))
    #expect(found.map(\.pixel) == [[270, 1440], [810, 1440], nil])
    #expect(found.map(\.confidence) == [0.5, 1, 0])
    #expect(found[0].groups == ["torso", "leftArm"])
    #expect(found[0].visionKey == (skeleton == .vision2d ? "left_shoulder_1_joint" : nil))
    #expect(found[2].position == nil)
  }

  @Test("Without the image's size there are positions but no pixels, and the table says so")
  func noSize() throws {
    let listing = listing(.vision2d, size: nil)
    #expect(try joints(listing).map(\.pixel) == [nil, nil, nil])
    #expect(try joints(listing)[0].position == [0.25, 0.75])
    let text = TextRenderer().render(listing.document)
    #expect(text.contains("give --image-size for pixels") && !text.contains("pixel "))
  }

  @Test("A wireframe joins the joints that are seen, in the shape of the image, with y downward")
  func wireframe() {
    let size = ImageSize(width: 1080, height: 1920)
    for skeleton in [Skeleton.vision2d, .coco17] {
      let figure = WireframeFigure(
        title: "a", [recording(skeleton, size: size)], frame: 0)
      let svg = figure.svg()
      #expect(svg.contains("width=\"360\" height=\"640\""))
      #expect(svg.contains("cx=\"90\" cy=\"160\"") && svg.contains("cx=\"270\" cy=\"160\""))
      #expect(svg.components(separatedBy: "<circle").count - 1 == 2)
      #expect(svg.contains("<line"), "the shoulders are joined")
    }
  }

  @Test("Pixels of an image of unknown size are drawn inside the picture")
  func unknownSize() {
    let figure = WireframeFigure(
      title: "a", [recording(.coco17, size: nil)], frame: 0)
    #expect(figure.aspect == 810.0 / 480)
    #expect(figure.people[0].points[.rightShoulder] == SVGCanvas.Point(x: 1, y: 1))
  }
}
