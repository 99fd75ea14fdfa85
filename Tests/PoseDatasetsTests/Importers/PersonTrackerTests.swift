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

  @Test("Boxes that share a tenth of the smaller one's area overlap; less or nothing does not")
  func overlap() {
    // 15 by 20; a shift by 13.5 leaves a tenth of the width.
    #expect(person(0).overlaps(person(13.5)) && person(13.5).overlaps(person(0)))
    #expect(!person(0).overlaps(person(13.6)) && !person(0).overlaps(person(20)))
    #expect(person(0, size: 4).overlaps(person(50)))
    #expect(!person(0).overlaps(person(0, size: 0)))
  }

  @Test("Whoever appears while one person is missing is that person; while two are, somebody new")
  func joined() {
    let away = Array(repeating: [ImagePerson](), count: 6)
    func joined(_ images: [[ImagePerson]]) -> [PersonTrack] {
      let times = images.indices.map { Double($0) / 10 }
      return PersonTracker.joined(PersonTracker.tracks(of: images, times: times), times: times)
    }
    let alone = joined([[person(0)]] + away + [[person(90, size: 2)]])
    #expect(alone.map { $0.images.keys.sorted() } == [[0, 7]] && alone[0].returns == [7])
    #expect(joined([[person(0)]] + away + [[person(90, size: 2.1)]]).count == 2)
    let beside = Array(repeating: [person(300)], count: 6)
    let pair = joined([[person(0), person(300)]] + beside + [[person(90), person(300)]])
    #expect(pair.map { $0.images.keys.sorted() } == [Array(0...7), [0, 7]])
    #expect(pair.map(\.returns) == [[], [7]])
    // A step of more than half a body is no gap, so it is somebody else.
    #expect(joined([[person(0)], [person(90)]]).count == 2)
    #expect(joined([[person(0), person(90)]] + away + [[person(0)]]).count == 3)
  }
}
