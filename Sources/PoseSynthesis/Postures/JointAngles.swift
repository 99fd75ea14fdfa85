import PoseModel
import Statistics

/// Joint angles of a body in degrees; zero everywhere is the anatomical position, arms hanging.
///
/// Flexion turns about the body's x axis: trunk Rx(+f), thigh Rx(-f), shank Rx(+k), upper arm
/// Rx(-s) (0 hanging, 90 forward, 180 overhead), forearm Rx(-e). Abduction turns about z, away from
/// the body on both sides; a turn is about the near bone, outward, before the bend.
struct JointAngles {
  struct Limb {
    var flexion = 0.0
    var abduction = 0.0
    var bend = 0.0
    var turn = 0.0

    static func + (a: Limb, b: Limb) -> Limb {
      Limb(
        flexion: a.flexion + b.flexion, abduction: a.abduction + b.abduction,
        bend: max(0, a.bend + b.bend), turn: a.turn + b.turn)
    }
  }

  /// Turn of the whole body about x, beyond that of its rest.
  var pitch = 0.0
  var lumbar = 0.0
  var thoracic = 0.0
  /// Sideways lean of the trunk, positive to the right.
  var lateral = 0.0
  var head = 0.0
  var leftArm = Limb()
  var rightArm = Limb()
  var leftLeg = Limb()
  var rightLeg = Limb()

  static func + (a: JointAngles, b: JointAngles) -> JointAngles {
    JointAngles(
      pitch: a.pitch + b.pitch, lumbar: a.lumbar + b.lumbar, thoracic: a.thoracic + b.thoracic,
      lateral: a.lateral + b.lateral, head: a.head + b.head, leftArm: a.leftArm + b.leftArm,
      rightArm: a.rightArm + b.rightArm, leftLeg: a.leftLeg + b.leftLeg,
      rightLeg: a.rightLeg + b.rightLeg)
  }

  /// Deviations from a textbook posture: N(0, spread) for every angle, a third of it between left
  /// and right, cut at two standard deviations.
  static func variation(spread: Degrees, stream: RandomStream) -> JointAngles {
    func draw(_ share: Double) -> Double {
      spread.value * share * min(max(stream.gaussian(), -2), 2)
    }
    func pair() -> (Limb, Limb) {
      let common = Limb(flexion: draw(1), abduction: draw(0.5), bend: 0)
      let bend = draw(1)
      func own() -> Limb {
        var limb = Limb(flexion: common.flexion + draw(0.33), abduction: common.abduction)
        limb.bend = bend + draw(0.33)
        return limb
      }
      return (own(), own())
    }
    let (arms, legs) = (pair(), pair())
    return JointAngles(
      pitch: draw(0.5), lumbar: draw(0.5), thoracic: draw(0.5), lateral: draw(0.25),
      leftArm: arms.0, rightArm: arms.1, leftLeg: legs.0, rightLeg: legs.1)
  }

  static let neutralDirections = JointAngles().directions()

  func directions() -> [Vector3] {
    let lean = Rotation3.aboutZ(Degrees(-lateral / 2))
    let lower = lean * .aboutX(Degrees(lumbar))
    let upper = lean * lower * .aboutX(Degrees(thoracic))
    let (cranial, left) = (upper(.unitY), upper(.unitX))
    let top = (upper * .aboutX(Degrees(head)))(.unitY)
    let (armL, foreL) = Self.limb(leftArm, side: 1, isArm: true)
    let (armR, foreR) = Self.limb(rightArm, side: -1, isArm: true)
    let (thighL, shankL) = Self.limb(leftLeg, side: 1, isArm: false)
    let (thighR, shankR) = Self.limb(rightLeg, side: -1, isArm: false)
    return [
      lower(.unitY), cranial, top, top, .unitX, -.unitX, left, -left,
      thighL, thighR, shankL, shankR, upper(armL), upper(armR), upper(foreL), upper(foreR),
    ]
  }

  /// The near and the far bone of a limb, before the trunk's turn; `side` is 1 for left.
  private static func limb(_ limb: Limb, side: Double, isArm: Bool) -> (Vector3, Vector3) {
    let near =
      Rotation3.aboutZ(Degrees(side * limb.abduction)) * .aboutX(Degrees(-limb.flexion))
    let turned = near * .aboutY(Degrees(side * limb.turn))
    let far = turned * .aboutX(Degrees(isArm ? -limb.bend : limb.bend))
    return (near(-.unitY), far(-.unitY))
  }
}
