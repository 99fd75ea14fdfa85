internal import PoseModel

/// A session cut into movements and holds, ready to be sampled.
struct ScriptedTimeline {
  private struct Piece {
    var end: Double
    var start: Double
    var phase: ScriptedPhase
    var previous: ScriptedPhase?
    var from: [Joint: Vector3]?
    var to: [Joint: Vector3]
  }

  private var pieces: [Piece] = []

  /// Cuts a session: a way into every phase but the first, then its hold.
  init(_ session: ScriptedSession) {
    var previous: (phase: ScriptedPhase, joints: [Joint: Vector3])?
    for phase in session.phases {
      let joints = session.body.joints(in: phase.posture, hipOffset: phase.hipOffset)
      if let previous, phase.entry.duration.value > 0 {
        append(
          phase, after: previous.phase, lasting: phase.entry.duration.value,
          from: previous.joints, to: joints)
      }
      append(phase, after: nil, lasting: phase.hold.value, from: nil, to: joints)
      previous = (phase, joints)
    }
  }

  /// When the last phase ends.
  var duration: Double { pieces.last?.end ?? 0 }

  /// The phase that is held at a time, or nil on the way into one.
  func label(at time: Double) -> ScriptedPhase? {
    let piece = piece(at: time)
    return piece.from == nil ? piece.phase : nil
  }

  /// What the script knows of a time: on the way, the class of the nearer posture, and the form only
  /// where the posture stays.
  func truth(at time: Double) -> (plank: PlankClass, form: FormClass?) {
    let piece = piece(at: time)
    guard let previous = piece.previous else {
      return (piece.phase.posture.truth, piece.phase.form)
    }
    let elapsed = (time - piece.start) / (piece.end - piece.start)
    let share = piece.phase.entry.course.progress(elapsed)
    guard previous.posture == piece.phase.posture else {
      return ((share < 0.5 ? previous : piece.phase).posture.truth, nil)
    }
    var between = piece.phase
    between.hipOffset = Meters(
      previous.hipOffset.value + share * (piece.phase.hipOffset.value - previous.hipOffset.value))
    return (between.posture.truth, between.form)
  }

  /// The joints at a time in world axes.
  func joints(at time: Double) -> [Joint: Vector3] {
    let piece = piece(at: time)
    guard let from = piece.from else { return piece.to }
    let elapsed = (time - piece.start) / (piece.end - piece.start)
    let share = piece.phase.entry.course.progress(elapsed)
    return from.merging(piece.to) { $0 + ($1 - $0) * share }
  }

  private mutating func append(
    _ phase: ScriptedPhase, after previous: ScriptedPhase?, lasting duration: Double,
    from: [Joint: Vector3]?, to joints: [Joint: Vector3]
  ) {
    let start = self.duration
    // A sum of decimals such as 0.1 + 0.2 is put back on the microsecond that it means.
    let end = ((start + duration) * 1e6).rounded() / 1e6
    pieces.append(
      Piece(end: end, start: start, phase: phase, previous: previous, from: from, to: joints))
  }

  private func piece(at time: Double) -> Piece {
    pieces.first { time < $0.end } ?? pieces[pieces.count - 1]
  }
}
