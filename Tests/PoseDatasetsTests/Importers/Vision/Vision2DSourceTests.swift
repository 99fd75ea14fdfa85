import Foundation
import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Dumps of 2D observations") struct Vision2DSourceTests {
  private static let header =
    #"{"format":"vision2d-dump","version":1,"imageWidth":1080,"imageHeight":1920,"subject":"s01"}"#

  /// A person with four joints, 0.25 wide and 0.5 high, with the root at a place.
  private static func person(_ x: Double, _ y: Double = 0.25, size: Double = 1) -> String {
    #"{"joints":{"root":[\#(x),\#(y),0.9],"left_foot_joint":[\#(x + 0.25 * size),\#(y),0.5],"#
      + #""neck_1_joint":{"location":[\#(x),\#(y + 0.5 * size)],"confidence":1},"#
      + #""rightWrist":{"x":\#(x),"y":\#(y),"confidence":0}}}"#
  }

  private static func frame(_ time: Double, _ people: String...) -> String {
    #"{"timestamp":\#(time),"observations":[\#(people.joined(separator: ","))]}"#
  }

  private func sequences(
    _ lines: [String], _ options: Vision2DOptions = Vision2DOptions()
  ) throws -> [ImportedSequence] {
    let file = NamedText(name: "dumps/anna.jsonl", text: lines.joined(separator: "\n"))
    return try Vision2DSource(options: options).sequences(from: [file])
  }

  private func problem(_ lines: String...) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { try sequences(lines) })"
  }

  @Test("Points come out normalized, by raw key or name, and are missing at confidence 0")
  func points() throws {
    let sequence = try #require(
      try sequences([Self.header, Self.frame(7, Self.person(0.5)), Self.frame(7.1)]).first)
    let recording = sequence.recording
    #expect(recording.header.skeleton == .vision2d && recording.header.frame == .image)
    #expect(recording.header.joints == Skeleton.vision2d.joints)
    #expect(recording.header.imageSize == ImageSize(width: 1080, height: 1920))
    #expect(recording.header.subject == "s01" && sequence.name == "anna")
    #expect(recording.times == [0, 0.1])
    #expect(recording.position(of: .root, at: 0) == Vector3(0.5, 0.25, 0))
    #expect(recording.position(of: .leftAnkle, at: 0) == Vector3(0.75, 0.25, 0))
    #expect(recording.position(of: .neck, at: 0) == Vector3(0.5, 0.75, 0))
    #expect(recording.position(of: .rightWrist, at: 0) == nil)
    #expect(recording.position(of: .nose, at: 0) == nil)
    let confidences = zip(recording.header.joints, recording.confidences).filter { $0.1 > 0 }
    #expect(confidences.map(\.0) == [.neck, .root, .leftAnkle])
    #expect(confidences.map(\.1) == [1, 0.9, 0.5])
    #expect((0...1).map(recording.hasPose) == [true, false])
    #expect(sequence.notes.contains { $0.contains("which is 7.0 s on the dump's clock") })
  }

  @Test("An option gives the image's size and takes precedence; without a size nothing is read")
  func size() throws {
    let frame = Self.frame(0, Self.person(0.5))
    let square = Vision2DOptions(imageSize: ImageSize(width: 500, height: 500))
    for lines in [[frame], [Self.header, frame]] {
      #expect(try sequences(lines, square).first?.recording.header.imageWidth == 500)
    }
    #expect(try problem(frame).contains("`imageWidth` or `imageHeight` of the header is missing"))
  }

  @Test("The most prominent of several people is imported, and a note says why and of how many")
  func mostProminent() throws {
    let lines =
      [Self.header]
      + (0..<4).map { Self.frame(Double($0) / 10, Self.person(0.1, size: 0.5), Self.person(0.5)) }
    let sequence = try #require(try sequences(lines).first)
    #expect(sequence.recording.position(of: .root, at: 3) == Vector3(0.5, 0.25, 0))
    #expect(
      sequence.notes.contains {
        $0.hasPrefix("2 people seen; the most prominent one covers 80 % of everyone's")
          && $0.hasSuffix("and is in 4 of 4 images")
      }, "\(sequence.notes)")
    #expect(sequence.tags["other_people"] == "apart")
    let everyone = try sequences(lines, Vision2DOptions(isEveryone: true))
    #expect(everyone.map(\.name) == ["anna-1", "anna-2"])
    #expect(
      everyone.map { $0.recording.position(of: .root, at: 0)?.x } == [0.5, Double(Float(0.1))])
    #expect(everyone.map { $0.tags["person"] } == ["1", "2"])
  }

  @Test("People who overlap in a tenth of the images, and five or more, are tags and notes")
  func others() throws {
    func tag(_ others: [[String]]) throws -> (String?, [String]) {
      let lines = others.enumerated().map { index, people in
        Self.frame(Double(index) / 10, ([Self.person(0.5)] + people).joined(separator: ","))
      }
      let sequence = try #require(try sequences([Self.header] + lines).first)
      return (sequence.tags["other_people"], sequence.notes)
    }
    let alone = Array(repeating: [String](), count: 9)
    let near = Self.person(0.6, size: 0.5)
    #expect(try tag(alone).0 == "none")
    #expect(try tag(alone + [[Self.person(0.1, size: 0.5)]]).0 == "apart")
    let overlapping = try tag(alone + [[near]])
    #expect(overlapping.0 == "overlapping")
    #expect(
      overlapping.1.contains {
        $0.contains("someone else overlaps this person in 1 image, first at 0.9 s")
      })
    #expect(try tag(alone + [[], [near]]).0 == "apart")
    let crowd = (0..<4).map { Self.person(0.02 + 0.05 * Double($0), size: 0.1) }
    #expect(try tag(alone + [crowd]).0 == "crowd")
    #expect(try tag(alone + [Array(crowd.dropLast())]).0 == "apart")
  }

  @Test("A person who is lost for a while and found again is one, with a note; a jump is a note")
  func lostAndFound() throws {
    let lines = [
      Self.header, Self.frame(0, Self.person(0.3)), Self.frame(0.1, Self.person(0.6)),
      Self.frame(2, Self.person(0.3)),
    ]
    let sequence = try #require(try sequences(lines).first)
    #expect((0..<3).map(sequence.recording.hasPose) == [true, true, true])
    #expect(sequence.notes.contains { $0.contains("jumps") && $0.contains("first at 0.1 s") })
    #expect(sequence.notes.contains { $0.contains("was lost for more than half a second") })
    #expect(try sequences(lines, Vision2DOptions(isEveryone: true)).count == 1)
  }

  @Test("A mirrored dump is turned around, with left and right swapped back")
  func mirrored() throws {
    let options = Vision2DOptions(dump: VisionOptions(isMirrored: true))
    let lines = [Self.header, Self.frame(0, Self.person(0.5))]
    let recording = try #require(try sequences(lines, options).first).recording
    #expect(recording.position(of: .rightAnkle, at: 0) == Vector3(0.25, 0.25, 0))
    #expect(recording.position(of: .leftAnkle, at: 0) == nil)
    #expect(!recording.header.isMirrored)
  }

  @Test("Observations without a valid joint are left out and counted; nobody at all is said")
  func nobody() throws {
    let empty = #"{"joints":{"root":[0,0,0]}}"#
    let sequence = try #require(try sequences([Self.header, Self.frame(0, empty)]).first)
    #expect(!sequence.recording.hasPose(at: 0))
    #expect(sequence.notes.contains("nobody is visible"))
    #expect(sequence.notes.contains { $0.contains("1 observation without a valid joint") })
  }

  @Test(
    "What cannot be is refused with its line and the remedy",
    arguments: [
      (#"{"joints":{"left_elbow":[0,0,1]}}"#, "the joint `left_elbow` of observations[0].joints"),
      (#"{"joints":{"spine":[0,0,1]}}"#, "a name such as leftElbow"),
      (#"{"joints":{"root":[0,0,1.5]}}"#, "the confidence of observations[0].joints.root is 1.5"),
      (#"{"joints":{"root":[540,960,0.9]}}"#, "divide pixels by the image's size"),
      (#"{"joints":{"neck":[0,0,0],"neck_1_joint":[0,0,0]}}"#, "given twice"),
      (#"{"joints":{"root":[0,0]}}"#, "found 2, but a point has 3 numbers"),
      (#"{"joints":{"root":{"location":[0,0]}}}"#, "`observations[0].joints.root.confidence` is"),
      (#"{"points":[]}"#, "`observations[0].joints` is missing; give an array of"),
    ])
  func refused(observation: String, words: String) throws {
    let message = try problem(Self.header, Self.frame(0), Self.frame(1, observation))
    #expect(message.hasPrefix("dumps/anna.jsonl:3: ") && message.contains(words), "\(message)")
  }

  @Test("Dumps of another kind, times that do not grow and too many people are refused")
  func frames() throws {
    #expect(try problem(#"{"format":"vision3d-dump"}"#).contains("give vision2d-dump version 1"))
    #expect(try problem(Self.header, #"{"timestamp":1}"#).contains("`observations` is missing"))
    #expect(
      try problem(Self.header, Self.frame(1), Self.frame(1)).contains("anna.jsonl:3: timestamp"))
    #expect(try problem(Self.header).contains("no row below the header"))
    let crowd = Array(repeating: #"{"joints":{}}"#, count: 101).joined(separator: ",")
    #expect(try problem(Self.header, Self.frame(0, crowd)).contains("is of 101 people"))
  }
}

@Suite("Following people from image to image") struct PersonTrackerTests {
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
