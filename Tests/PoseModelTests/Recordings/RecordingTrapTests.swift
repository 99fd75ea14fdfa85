import PoseModel
import Testing

@Suite("Misuse of recordings")
struct RecordingTrapTests {
  @Test("A frame that is not later than the last one traps")
  func times() async {
    await #expect(processExitsWith: .failure) {
      var recording = smallRecording()
      recording.append(time: Seconds(1), pose: nil)
    }
  }

  @Test("A pose with another number of numbers traps")
  func stride() async {
    await #expect(processExitsWith: .failure) {
      var recording = smallRecording()
      recording.append(time: Seconds(2), pose: [1, 2, 3])
    }
  }
}
