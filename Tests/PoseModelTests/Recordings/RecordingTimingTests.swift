import PoseModel
import Testing

@Suite("Timing of recordings")
struct RecordingTimingTests {
  private func recording(_ times: [Double], rate: Double?) -> Recording {
    var header = smallRecording(times: []).header
    header.nominalRate = rate.map { Hertz($0) }
    var recording = Recording(header: header)
    for time in times { recording.append(time: Seconds(time), pose: nil) }
    return recording
  }

  @Test(
    "The median interval is the middle one, the mean of the two middle ones of an even number",
    arguments: [
      ([0, 1], 1), ([0, 1, 3], 1.5), ([0, 4, 5, 7], 2), ([0, 1, 2, 3, 100], 1),
    ] as [([Double], Double)])
  func median(times: [Double], interval: Double) {
    #expect(recording(times, rate: nil).medianFrameInterval == Seconds(interval))
    #expect(recording(times, rate: 60).frameWeight == Seconds(interval))
  }

  @Test("Fewer than two frames have no interval", arguments: [[], [5]] as [[Double]])
  func none(times: [Double]) {
    #expect(recording(times, rate: nil).medianFrameInterval == nil)
  }

  @Test(
    "A single frame weighs what the nominal rate says, else a thirtieth of a second",
    arguments: [
      (50, 0.02), (nil, 1.0 / 30), (0, 1.0 / 30), (-5, 1.0 / 30),
    ] as [(Double?, Double)])
  func singleFrame(rate: Double?, weight: Double) {
    #expect(recording([3], rate: rate).frameWeight == Seconds(weight))
  }
}
