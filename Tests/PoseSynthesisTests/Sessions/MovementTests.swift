import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Movements between postures")
struct MovementTests {
  private func stages(_ from: Posture, _ to: Posture) -> [Posture] {
    Movement(from: from, to: to, route: .stages).waypoints
  }

  @Test("By stages people rise over all fours and one knee, and roll over the side")
  func plausible() {
    #expect(stages(.lyingProne, .standing) == [.allFours, .halfKneel])
    #expect(stages(.standing, .forearm) == [.halfKneel, .allFours])
    #expect(stages(.lyingSupine, .lyingProne) == [.lyingSideLeft])
    #expect(stages(.lyingSideRight, .allFours) == [.sittingSideRight])
    #expect(stages(.forearm, .heelSit) == [.allFours])
    #expect(stages(.sphinx, .forearm) == [])
    #expect(stages(.forearm, .lyingProneArmsFolded) == [])
    #expect(stages(.superman, .high) == [])
  }

  @Test("Every two postures have a way, which passes no plank and leads back as far")
  func everyPair() {
    for from in Posture.allCases {
      for to in Posture.allCases {
        let way = stages(from, to)
        let planks = way.filter { $0.isPlank }
        #expect(planks.isEmpty, "\(from) to \(to)")
        #expect(way.count == stages(to, from).count, "\(from) to \(to)")
        let ends = (Stage(from), Stage(to))
        if ends.0 == ends.1 { #expect(way.isEmpty) }
        #expect(way.count <= 4)
      }
    }
  }

  @Test("The direct route passes a squat and all fours, and only on the way up or down")
  func direct() {
    #expect(Movement(from: .standing, to: .forearm).waypoints == [.squat, .allFours])
    #expect(Movement(from: .lyingProne, to: .standing).waypoints == [.allFours, .squat])
    #expect(Movement(from: .lyingSupine, to: .lyingProne).waypoints == [])
  }

  @Test("By stages no joint sinks into the floor on the way, and some joint touches it")
  func onTheFloor() {
    let postures: [Posture] = [
      .standing, .heelSit, .halfKneel, .allFours, .forearm, .high, .sphinx, .lyingProneArmsFolded,
      .superman, .sittingSideLeft, .sittingSideRight, .lyingSupine, .lyingSideRight,
    ]
    for from in postures {
      for to in postures where from != to {
        let ends = (lowest(from, to, at: 0), lowest(from, to, at: 1))
        for step in 1..<10 {
          let height = lowest(from, to, at: Double(step) / 10)
          #expect(height > 0.005, "\(from) to \(to) at \(step)")
          #expect(height < max(ends.0, ends.1) + 0.09, "\(from) to \(to) at \(step)")
        }
      }
    }
  }

  /// The height of the lowest joint in meters, a fraction of the way from a posture to another.
  private func lowest(_ from: Posture, _ to: Posture, at progress: Double) -> Double {
    var script = SessionScript(holds: [Hold(from, for: Seconds(1)), Hold(to, for: Seconds(1))])
    for index in script.holds.indices { script.holds[index].placement.angleSpread = Degrees(0) }
    let timeline = Timeline(script)
    let poser = BodyPoser(body: Body(script.subject), timeline: timeline, seed: 1, route: .stages)
    let moment = Timeline.Moment(
      from: 0, to: 1, progress: progress, placement: PlacementParameters(), form: FormParameters(),
      isTransition: true)
    let posed = poser.posed(moment, motion: BodyMotion.Moment())
    return posed.rootHeight + (posed.shape.worldJoints(of: poser.body).values.map(\.y).min() ?? 0)
  }

  @Test("A plank from the elbows begins halfway through the movement, as its onset says")
  func onset() throws {
    var script = SessionScript(holds: [
      Hold(.sphinx, for: Seconds(2)), Hold(.forearm, for: Seconds(2)),
      Hold(.sphinx, for: Seconds(2)),
    ])
    script.transitions.route = .stages
    script.transitions.change = Seconds(2)
    let labels = try Session.made(script).labels
    let planks = labels.segments.map { $0.plank?.name ?? "ignore" }
    #expect(planks == ["none", "ignore", "forearm", "ignore", "none"])
    let onsets = labels.onsets.map(\.plank)
    #expect(onsets == [.forearm, PlankClass.none])
    for (onset, expected) in zip(labels.onsets, [3.0, 7.0]) {
      #expect((onset.time.value - expected).magnitude < 0.05)
    }
  }
}
