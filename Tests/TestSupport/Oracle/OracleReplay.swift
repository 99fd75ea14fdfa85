/// A detector over a recording without streaming state: every answer is read off the history.
package enum OracleReplay {
  /// Tolerance of the inclusive hold bound, seconds.
  static let holdTolerance = 1e-9

  /// The frames of a recording with their answers (`docs/contract.md`, Detectors), unsmoothed.
  ///
  /// Complexity: quadratic in the number of frames.
  package static func run(
    _ recording: OracleRecording, _ detector: OracleDetector, startsMid: Bool = false
  ) -> [OracleFrame] {
    let measured = recording.frames.map { OracleMeasurements($0, axes: detector.axes) }
    let plankRaw = measured.map { detector.label(detector.plank, $0) }
    let formRaw = measured.map { detector.label(detector.form, $0) }
    let times = recording.times
    let hold = detector.value("hold_seconds")
    let plankCount = Int(detector.value("plank_frames"))
    let formCount = Int(detector.value("form_frames"))
    return times.indices.map { index in
      let plank = steady(
        times, plankRaw, at: index, count: plankCount, hold: hold, startsMid: startsMid,
        empty: "none")
      let form = steady(
        times, formRaw, at: index, count: formCount, hold: hold, startsMid: startsMid,
        empty: "aligned")
      return OracleFrame(
        time: times[index], measurements: measured[index], plankRaw: plankRaw[index],
        formRaw: formRaw[index], plank: plank, form: form,
        grade: grade(measured[index]["bodyAngle"], plank))
    }
  }

  /// The answer after frame `index`, from the raw labels up to it (nil = undetermined).
  ///
  /// The last piece of history without a break decides: the latest frame of the piece that ends
  /// `count` equal labels in a row within the piece give the answer; otherwise it is the empty one.
  package static func steady(
    _ times: [Double], _ raw: [String?], at index: Int, count: Int, hold: Double,
    startsMid: Bool, empty: String
  ) -> String {
    let bound = hold + holdTolerance
    let determined = (0...index).filter { raw[$0] != nil }
    guard let last = determined.last, times[index] - times[last] <= bound else { return empty }
    let starts = determined.indices.dropFirst().filter {
      times[determined[$0]] - times[determined[$0 - 1]] > bound
    }
    let start = starts.last ?? 0
    let piece = determined[start...].compactMap { raw[$0] }
    for end in piece.indices.reversed() where end + 1 >= count {
      if piece[(end + 1 - count)...end].allSatisfy({ $0 == piece[end] }) { return piece[end] }
    }
    return startsMid && start == 0 ? piece[0] : empty
  }

  /// The article's grade of the body angle, by the class of the answer.
  package static func grade(_ bodyAngle: Float?, _ plank: String) -> String? {
    guard let bodyAngle, plank != "none" else { return nil }
    let isFront = plank == "forearm" || plank == "high"
    if bodyAngle >= (isFront ? 165 : 160) { return "good" }
    return bodyAngle >= (isFront ? 155 : 150) ? "warning" : "bad"
  }
}
