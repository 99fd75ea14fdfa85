import PoseModel
import TestSupport
import Testing

@Suite("Explanations of axes")
struct AxesExplanationTests {
  let session = ScriptedSession(
    ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
    phases: [ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.high, seconds: 1)])

  @Test("A pelvis recording says that every pose needs its matrix, and how many have one")
  func pelvis() {
    var recording = session.pelvisRecording(ScriptedCamera())
    let last = recording.times.last ?? 0
    let pose = Array(recording.positions.prefix(recording.layout.stride))
    recording.append(time: Seconds(last + 1), pose: pose)
    let text = AxesExplanation(recording)
    #expect(text.axes.hasPrefix("Pelvis axes"))
    #expect(text.consequence.contains("\(recording.frameCount - 1) of \(recording.frameCount)"))
    #expect(text.consequence.contains("count as missing"))
    #expect(text.doubts.isEmpty)
  }

  @Test("A camera recording says what up is and which fields say so")
  func camera() {
    let recording = session.recording(ScriptedCamera(.front, .landscapeLeft, .fixed))
    let text = AxesExplanation(recording)
    #expect(text.axes.hasPrefix("Camera axes"))
    #expect(
      text.up
        == "Up is (-1.0, 0.0, 0.0), from landscapeLeft, the front camera, a buffer that is fixed.")
    #expect(text.sentences.count == 3)
  }

  @Test("Portrait by default is called an assumption")
  func assumption() {
    let header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera)
    #expect(AxesExplanation(Recording(header: header)).up.contains("assumed"))
  }

  @Test("A sideways recording without a camera side has no up, and the remedy is given")
  func unknown() {
    var header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera)
    header.orientation = .landscapeRight
    var recording = Recording(header: header)
    #expect(AxesExplanation(recording).up.contains("give `up`"))
    recording.append(time: Seconds(0), pose: [0, 0, 0], extras: FrameExtras(up: .unitX))
    #expect(AxesExplanation(recording).up == "Up is recorded with every frame.")
    recording.append(time: Seconds(1), pose: nil)
    #expect(AxesExplanation(recording).up.contains("1 of 2 frames"))
  }

  @Test("Pelvis positions under the name of camera axes raise a doubt")
  func suspect() {
    let pelvis = session.pelvisRecording(ScriptedCamera())
    var header = pelvis.header
    header.frame = .camera
    var claimed = Recording(header: header)
    for frame in 0..<pelvis.frameCount {
      let start = frame * pelvis.layout.stride
      claimed.append(
        time: Seconds(pelvis.times[frame]),
        pose: Array(pelvis.positions[start..<start + pelvis.layout.stride]))
    }
    #expect(claimed.looksFixedToPelvis)
    #expect(AxesExplanation(claimed).doubts.first?.contains("cameraOriginMatrix") == true)
    #expect(!session.recording(ScriptedCamera(azimuth: Degrees(30))).looksFixedToPelvis)
  }

  @Test("Reference heights are called what they are", arguments: [true, false])
  func heights(inHeader: Bool) {
    var header = RecordingHeader.observations
    if inHeader { header.heightEstimation = .reference }
    var recording = Recording(header: header)
    recording.append(
      time: Seconds(0), pose: nil,
      extras: FrameExtras(heightEstimation: inHeader ? nil : .reference))
    #expect(AxesExplanation(recording).doubts.contains { $0.contains("1.8 m") })
  }

  @Test("World and image recordings need no turning, images have no depth")
  func others() {
    let world = AxesExplanation(session.worldRecording())
    #expect(world.axes == "World axes: y is up.")
    #expect(world.up.hasSuffix("by definition."))
    for skeleton in [Skeleton.vision2d, .coco17] {
      let header = RecordingHeader(skeleton: skeleton, joints: [.nose], frame: .image)
      let text = AxesExplanation(Recording(header: header))
      #expect(text.axes.contains(skeleton == .coco17 ? "pixels" : "shares"))
      #expect(text.consequence.contains("no depth"))
    }
  }
}
