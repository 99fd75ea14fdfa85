import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Results as JSON") struct ResultCodingTests {
  private func roundTrip<Value: Codable>(_ value: Value) throws -> (Value, String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(value)
    return (
      try JSONDecoder().decode(Value.self, from: data), String(decoding: data, as: UTF8.self)
    )
  }

  @Test("Answers, summaries, states, poses and parameters come back equal")
  func roundTrips() throws {
    let session = ScriptedSession([.standing: 1, .forearm: 5, .standing: 3, .high: 3], rate: 20)
    let recording = session.pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))
    var detector = try PlankDetector(.coach)
    var log = SessionLog()
    var states: Set<String> = []
    for frame in recording.poseFrames {
      let answer = try detector.update(frame)
      #expect(try roundTrip(answer).0 == answer)
      try log.append(SessionFrame(time: frame.time, answer: answer))
      states.insert(log.state.name)
      #expect(try roundTrip(log.state).0 == log.state)
      let pose = try #require(frame.pose)
      #expect(try roundTrip(pose).0.positions.map(\.bitPattern) == pose.positions.map(\.bitPattern))
    }
    #expect(states.isSuperset(of: ["idle", "active", "paused"]))
    let summary = log.summary(finishedAt: Seconds(12))
    let (again, text) = try roundTrip(summary)
    #expect(again.segments.map(\.plank) == summary.segments.map(\.plank))
    #expect(again.scores == summary.scores)
    #expect(again.pauses == summary.pauses)
    #expect(again.end == summary.end)
    #expect(text.contains(#""state":"ended""#) && text.contains(#""plank":"forearm""#))
    #expect(try roundTrip(detector.parameters).0 == detector.parameters)
    let parameters = try SessionParameters([.sessionBad: 2])
    #expect(try roundTrip(parameters).0 == parameters)
  }

  @Test("A pose keeps what is missing, and confidences")
  func pose() throws {
    var pose = Pose()
    pose[.leftHip] = Vector3(0.1, 0, -0.2)
    pose.setPoint(of: .nose, x: 0.5, y: 0.25, confidence: 0.75)
    let (again, text) = try roundTrip(pose)
    #expect(again[.leftHip] == pose[.leftHip] && again[.rightHip] == nil)
    #expect(again.confidences[Joint.nose.index] == 0.75)
    #expect(text.contains(#""leftHip":[0.1"#))
  }

  @Test(
    "What is not allowed is refused",
    arguments: [
      #"{"positions":{"knee":[1,2,3]}}"#, #"{"positions":{"leftHip":[1,2]}}"#, #"{}"#,
    ])
  func refusals(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Pose.self, from: Data(json.utf8))
    }
  }

  @Test("A value out of range and an unknown state are refused with the reason")
  func reasons() throws {
    let session = Data(#"{"session_bad":-1}"#.utf8)
    let range = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SessionParameters.self, from: session)
    }
    #expect(range.map { "\($0)" }?.contains("session_bad = -1.0 is not allowed") == true)
    let state = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SessionState.self, from: Data(#"{"state":"asleep"}"#.utf8))
    }
    #expect(state.map { "\($0)" }?.contains("no state `asleep`") == true)
  }

  @Test("Time that goes back is refused, and the detector goes on as before")
  func order() throws {
    let recording = ScriptedSession([.forearm: 2], rate: 20).pelvisRecording(
      ScriptedCamera(azimuth: Degrees(25)))
    var disturbed = try PlankDetector(.coach)
    var plain = try PlankDetector(.coach)
    for (index, frame) in recording.poseFrames.enumerated() {
      #expect(try disturbed.update(frame) == plain.update(frame))
      var wrong = frame
      for time in [frame.time.value, frame.time.value - 1, .nan, .infinity] {
        wrong.time = Seconds(time)
        let error = #expect(throws: FrameOrderError.self) { try disturbed.update(wrong) }
        #expect(error?.time.value == time || time.isNaN)
      }
      if index == 20 {
        disturbed.reset()
        plain.reset()
      }
    }
    var late = try #require(recording.poseFrames.first)
    late.time = Seconds(0)
    disturbed.reset()
    #expect(throws: Never.self) { try disturbed.update(late) }
  }
}
