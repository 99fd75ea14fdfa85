import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Following people from image to image")
struct PersonTrackerTests {
  /// A person 15 wide and 20 high, so 25 across, with the left ankle at a place.
  private func person(_ x: Double, _ y: Double = 0, size: Double = 1) -> ImagePerson {
    ImagePerson(
      positions: [
        .leftAnkle: SIMD2(x, y), .rightAnkle: SIMD2(x + 15 * size, y),
        .leftShoulder: SIMD2(x, y + 20 * size),
      ], confidences: [:])
  }

  private func tracks(_ images: [[ImagePerson]], rate: Double = 30) -> [PersonTrack] {
    PersonTracker.tracks(of: images, times: images.indices.map { Double($0) / rate })
  }

  @Test("People are followed by place, whatever their order in an image")
  func order() {
    let found = tracks([
      [person(0), person(100, size: 2)], [person(101, size: 2), person(1)],
      [person(2), person(102, size: 2)],
    ])
    #expect(found.map { $0.images[2]?.positions[.leftAnkle]?.x } == [102, 2])
    #expect(found.allSatisfy { $0.images.count == 3 && $0.doubts.isEmpty && $0.jumps.isEmpty })
  }

  @Test("The most prominent person fills the most area over all images, not in one")
  func prominence() {
    let found = tracks([
      [person(0), person(100, size: 1.5)], [person(0)], [person(0)], [person(0)],
    ])
    #expect(found.map(\.prominence) == [1200, 675])
  }

  @Test("Equal people keep the order of their first sighting")
  func ties() {
    let found = tracks([[person(300), person(0)], [person(0), person(300)]])
    #expect(found.map { $0.images[0]?.positions[.leftAnkle]?.x } == [300, 0])
  }

  @Test("A step of more than half a body is somebody else, up to it the same person with a jump")
  func steps() {
    let within = tracks([[person(0)], [person(12.5)]])
    #expect(within.count == 1 && within[0].jumps == [1])
    #expect(tracks([[person(0)], [person(12.75)]]).count == 2)
    #expect(tracks([[person(0)], [person(6.25)]])[0].jumps.isEmpty)
  }

  @Test("A person who is away for up to half a second comes back; later it is somebody else")
  func gaps() {
    let away = Array(repeating: [ImagePerson](), count: 4)
    #expect(tracks([[person(0)]] + away + [[person(0)]], rate: 10).count == 1)
    #expect(tracks([[person(0)]] + away + [[], [person(0)]], rate: 10).count == 2)
  }

  @Test("Two people near enough to be each other are a doubt")
  func doubts() {
    let found = tracks([[person(0), person(6)], [person(0), person(6)]])
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.doubts == [1] })
  }
}
