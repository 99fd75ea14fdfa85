import PoseModel
import PoseRecording

extension TableExamination {
  mutating func examineBodies(isMediaPipe: Bool) throws {
    try examineFillers()
    let (frames, cameras) = try sampledPoses()
    guard !blockSize(frames), !blockUnitChange(frames), !blockUnevenSides(frames) else { return }
    let signs = BodySigns(frames)
    if map.skeleton.dimension == 2 { return examineImagePoints(signs, isMediaPipe: isMediaPipe) }
    let unit = map.units
    var areMeters: Bool {
      signs.reachBeyondImage && signs.stature.map(LengthUnit.statures.contains) ?? false
    }
    if builtIn == nil, signs.areShares, isMediaPipe || !areMeters {
      return examineShares(signs, isMediaPipe: isMediaPipe)
    }
    let scale = builtIn != nil && unit.meters == nil ? scaleOfFormat(signs) : examineUnits(signs)
    let meters = signs.recording(metersPerUnit: scale, up: .unitY)
    let (fixed, poses) = meters.posesFixedToPelvis
    let pelvis = poses == 0 ? 0 : Double(fixed) / Double(poses)
    if pelvis > 0.9 {
      examinePelvis(
        "the hips lie on the x axis and the spine has no depth in "
          + "\(Int((pelvis * 100).rounded())) % of the frames", frames, cameras)
    } else if map.anchor == nil, signs.hasFixedTrunk {
      examinePelvis("the trunk never turns, but the thighs do", frames, cameras)
    } else {
      if let camera = map.camera {
        warnOfUnused(camera, "it would rotate pelvis axes, but positions are not in pelvis axes")
        map.camera = nil
      }
      examineAxes(signs, metersPerUnit: scale, isMediaPipe: isMediaPipe)
    }
  }

  private mutating func blockSize(_ frames: [[Joint: Vector3]]) -> Bool {
    let sizes = frames.compactMap { frame -> Double? in
      let numbers = frame.values.flatMap { [$0.x, $0.y, $0.z] }
      guard frame.count > 1, let low = numbers.min(), let high = numbers.max() else { return nil }
      return high - low
    }
    guard let size = sizes.median, size > 0, !(1e-9...1e9).contains(size) else { return false }
    diagnosis.block(
      "the numbers of a pose span \(size), which is not the size of a body in any unit of length",
      "save positions again in meters or pixels; such numbers are often other bytes read as "
        + "numbers")
    return true
  }

  private mutating func examineShares(_ signs: BodySigns, isMediaPipe: Bool) {
    map.units = .image
    diagnosis.conclude(
      "units", "shares of the image, with a depth in its widths", .likely,
      "the hips stay inside the image in x and y, and near 0 in depth",
      alternatives: TableMap.Units.allCases.filter { $0.length != nil }.map(\.rawValue))
    guard let size = map.imageSize else {
      diagnosis.block(
        "the file does not give the size of the images, without which bodies are distorted, because "
          + "equal shares of width and height differ in length",
        "give --image-size WIDTHxHEIGHT, such as 1920x1080 for a landscape video; better, save the "
          + "world landmarks")
      return
    }
    let aspect = Double(size.width) / Double(size.height)
    let stretched = BodySigns(
      signs.frames.map { $0.mapValues { Vector3($0.x * aspect, $0.y, $0.z * aspect) } })
    let bodies = stretched.frames.map { BodyPose(limbs: $0) }
    examineAxes(
      stretched, metersPerUnit: ReferenceBody.metersPerUnit(of: bodies) ?? 1,
      isMediaPipe: isMediaPipe)
  }

  func sampledPoses(anchored: Bool = true) throws -> (
    frames: [[Joint: Vector3]], cameras: [CameraMatrix?]
  ) {
    var plain = map
    if !anchored { (plain.anchor, plain.camera) = (nil, nil) }
    if ignoresConfidence { plain.confidence = nil }
    let isFlat = map.skeleton.dimension == 2
    plain.skeleton = isFlat ? .vision2d : .vision3d
    plain.frame = isFlat ? .image : .camera
    plain.axes = (0..<map.skeleton.dimension).map { TableMap.Axis($0) }
    plain.units = isFlat ? .pixels : .m
    plain.imageSize = ImageSize(width: 1, height: 1)
    plain.time = TableMap.Time(field: nil, rate: 30)
    plain.labels = nil
    let joints = plain.skeleton.joints.filter { plain.joints[$0] != nil }
    var reader = FrameReader(map: plain, joints: joints)
    var frames: [[Joint: Vector3]] = []
    var cameras: [CameraMatrix?] = []
    for (number, sample) in samples.enumerated() {
      let frame = try reader.frame(sample, at: table.place(number * table.count / samples.count))
      frames.append(frame.positions(of: joints))
      cameras.append(frame.camera)
    }
    return (frames, cameras)
  }

  private mutating func scaleOfFormat(_ signs: BodySigns) -> Double {
    diagnosis.conclude(
      "units", "image units; bodies are scaled to \(ReferenceBody.height)", .sure,
      "the format has no unit of length")
    return signs.stature.map { ReferenceBody.height.value / $0 } ?? 1
  }

  private mutating func examineUnits(_ signs: BodySigns) -> Double {
    guard let stature = signs.stature else {
      if let declared = table.declaredUnit.flatMap(TableMap.Units.init(rawValue:)) {
        map.units = declared
        diagnosis.conclude("units", declared.rawValue, .likely, "the header says so")
        return declared.meters ?? 1
      }
      map.units = builtIn?.units ?? .m
      diagnosis.conclude(
        "units", "assumed to be meters", .unsure,
        "no frame shows shoulders, hips, knees and ankles, which give a body its size",
        alternatives: TableMap.Units.allCases.filter { $0.meters != nil }.map(\.rawValue))
      return 1
    }
    if let unit = TableMap.Units.allCases.first(where: {
      $0.length != nil && $0.length == LengthUnit(ofStature: stature)
    }), let scale = unit.meters {
      map.units = unit
      let meters = stature * scale
      let isHeight = scale == 1 && (0.97...1.03).contains(meters)
      diagnosis.conclude(
        "units", unit.rawValue, isHeight ? .unsure : (1.3...2.1).contains(meters) ? .sure : .likely,
        "judging by trunk and legs, the body would be \(Self.short(meters)) m tall",
        alternatives: isHeight ? ["shares of the body's height: `units: body` in the map"] : [])
      takeHeight(signs, metersPerUnit: scale)
      return scale
    }
    map.units = .body
    diagnosis.conclude(
      "units", "unknown; bodies are scaled to \(ReferenceBody.height)", .likely,
      "judging by trunk and legs, the body is \(Self.short(stature)) units tall")
    return ReferenceBody.height.value / stature
  }

  private static func axes(up: TableMap.Axis) -> [TableMap.Axis] {
    let x = TableMap.Axis(0)
    let y = TableMap.Axis(1)
    let z = TableMap.Axis(2)
    return switch (up.index, up.isNegative) {
    case (1, false): [x, y, z]
    case (1, true): [x, y.opposite, z.opposite]
    case (2, false): [x, z, y.opposite]
    case (2, true): [x, z.opposite, y]
    case (0, false): [y.opposite, x, z]
    default: [y, x.opposite, z]
    }
  }

  private mutating func takeHeight(_ signs: BodySigns, metersPerUnit: Double) {
    guard map.bodyHeight == nil, map.bodyHeightField == nil else { return }
    let heights = signs.frames.compactMap { BodyPose(limbs: $0).trunkAndLegLength }
      .map { ReferenceBody.height(trunkAndLegLength: $0 * metersPerUnit).value }
    guard heights.count >= 3 * BodySurvey.fewestPoses, let median = heights.median,
      (1.3...2.1).contains(median),
      let spread = heights.map({ ($0 - median).magnitude }).median, spread < 0.05 * median
    else { return }
    map.bodyHeight = (median * 1000).rounded() / 1000
    diagnosis.conclude(
      "height", "\(Self.short(median)) m, measured by trunk and legs", .likely,
      "half of \(CountText.of(heights.count, "frame")) are within "
        + "\(Self.short(spread * 100)) cm; rules need the height in the positions' own scale",
      alternatives: ["`body_height_m` in the map, or --body-height"])
  }

  /// Takes a vector beside the joints that is called up or gravity, if arms and it agree.
  private mutating func takeUpField(_ signs: BodySigns, built: [TableMap.Axis]?) -> Bool {
    guard map.anchor == nil, map.layout.kind == .frames else { return false }
    let fields = FieldSearch(samples[0])
    let paths =
      fields.numberLists.filter { $0.count == 3 }.map(\.path)
      + fields.scalars.filter { $0.path.lastKey.lowercased() == "z" }.map(\.path.parent)
    for path in paths {
      let word = ClockName.words(of: path.lastKey).joined()
      guard ["up", "upvector", "gravity", "gravityvector"].contains(word) else { continue }
      let vectors = path.nodes(in: samples).compactMap { node -> Vector3? in
        let numbers =
          node.flatNumbers.isEmpty
          ? ["x", "y", "z"].compactMap { node[$0]?.number } : node.flatNumbers
        return numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
      }
      let mean = vectors.reduce(Vector3(0, 0, 0), +)
      let arms = signs.frames.compactMap { BodySigns.arms($0) }.reduce(Vector3(0, 0, 0), +)
      let agreement = mean.norm * arms.norm > 0 ? mean.dot(arms) / (mean.norm * arms.norm) : 0
      let isUnit = vectors.allSatisfy { UpDirection.acceptedNorms ~= $0.norm }
      guard agreement.magnitude > 0.7, isUnit || agreement < 0 else {
        diagnosis.warn(
          "`\(path.text)` is not used: arms do not point along it",
          "if it points up or down in the axes of the joints, name it in the map: `up: "
            + "\(path.text)` or `up: -\(path.text)`")
        continue
      }
      map.upField = path
      map.isUpReversed = agreement < 0
      let upward = agreement < 0 ? -mean : mean
      let nearest = TableMap.Axis.everyDirection.max {
        $0.vector.dot(upward) < $1.vector.dot(upward)
      }
      map.axes = built ?? Self.axes(up: nearest ?? TableMap.Axis(1))
      diagnosis.conclude(
        "up", "\(agreement < 0 ? "against" : "along") `\(path.text)` of every frame", .likely,
        "its name says so, and arms point along it",
        alternatives: ["an axis of the file: `axes` without `up` in the map"])
      return true
    }
    return false
  }

  func axesText(_ axes: [TableMap.Axis]) -> String {
    "`axes: [\(axes.map(\.text).joined(separator: ", "))]`"
  }

  private mutating func examineAxes(_ signs: BodySigns, metersPerUnit: Double, isMediaPipe: Bool) {
    let (y, z) = (TableMap.Axis(1), TableMap.Axis(2))
    let isMotionCapture = [.mm, .cm].contains(map.units)
    let isAnchored = map.anchor != nil
    let named = NamedAxes(map.joints, table)
    let usual =
      isAnchored
      ? [y]
      : (named?.up).map { [$0] } ?? (isMotionCapture ? [z, y, y.opposite] : [y, y.opposite])
    let upright = UprightSigns(signs, among: TableMap.Axis.everyDirection)
    let usualImage = hasFace && !isMotionCapture ? y.opposite : nil
    let convention = isAnchored ? nil : named?.up ?? usualImage
    guard let choice = UprightChoice(upright, usual: usual, convention: convention) else { return }
    // A conversion of MediaPipe's meters to another unit may also have turned the axes.
    let isTurned = isMotionCapture && choice.isSure && choice.best.axis != y.opposite
    let isUsual = isMediaPipe && !isTurned
    let known = builtIn?.axes ?? (isUsual ? Self.axes(up: y.opposite) : nil)
    let up = known?[1] ?? choice.best.axis
    map.axes = known ?? Self.axes(up: up)
    if map.anchor != nil { map.frame = .world }
    if takeUpField(signs, built: known) {
      // The frames say it.
    } else if known != nil {
      concludeKnown(up, choice)
    } else {
      concludeUp("the file's \(up.text)", choice) { Self.axes(up: $0) }
    }
    if builtIn == nil, map.anchor == nil { examineLean(signs) }
    let survey = BodySurvey(signs.recording(metersPerUnit: metersPerUnit, up: map.axes[1].vector))
    examineHandedness(survey.knees, named, isKnown: known != nil)
  }

  /// Keeps the format's up axis.
  ///
  /// Poses cannot refute it: a person lying with arms at the sides looks like one who stands.
  mutating func concludeKnown(_ up: TableMap.Axis, _ choice: UprightChoice) {
    let agrees = choice.best.axis == up
    let format = "that is \(builtIn == nil ? "MediaPipe" : "the format")'s convention"
    let other = choice.best.axis
    let isContradicted = !agrees && (choice.isSure || choice.isClear)
    let isDoubtful = isContradicted && builtIn == nil
    diagnosis.conclude(
      "up", "the file's \(up.text)",
      isDoubtful ? .unsure : builtIn != nil || (agrees && choice.isSure) ? .sure : .likely,
      format + (agrees ? "; \(choice.evidence)" : ""),
      alternatives: isDoubtful ? ["\(other.text): \(axesText(turned(up: other)))"] : [])
    guard isContradicted else { return }
    diagnosis.warn(
      "the data look rotated: "
        + "\(choice.evidence.replacing(" it", with: " \(other.text)", maxReplacements: 1)), but "
        + "\(format)",
      "unless people lie in most frames, write \(axesText(turned(up: other))) in your own map"
        + (map.skeleton.dimension == 3 && other == up.opposite
          ? ", or \(axesText([map.axes[0], other, map.axes[2]])) if only this axis was reversed, as for "
            + "Unity" : ""))
  }

  mutating func concludeUp(
    _ finding: String, _ choice: UprightChoice, axes: (TableMap.Axis) -> [TableMap.Axis]
  ) {
    diagnosis.conclude(
      "up", finding, choice.isSure ? .sure : .unsure, choice.evidence,
      alternatives: choice.isSure
        ? [] : choice.others.map { "\($0.axis.text): \(axesText(axes($0.axis)))" })
    guard !choice.isSure else { return }
    diagnosis.warn(
      "these poses do not show for certain which axis points up; \(finding) is assumed",
      "look at a frame, and correct `axes` in the map (the second is up), such as "
        + (choice.others.first.map { axesText(axes($0.axis)) } ?? "[x, -y, -z]")
        + "; a few seconds of standing and planking would show it")
  }

  private func turned(up: TableMap.Axis) -> [TableMap.Axis] {
    map.skeleton.dimension == 3 ? Self.axes(up: up) : Self.imageAxes(up: up, isDown: true)
  }

  private mutating func examineHandedness(_ knees: KneeCounts, _ named: NamedAxes?, isKnown: Bool) {
    let all = knees.forward + knees.backward
    let isReversed = knees.backward >= BodySurvey.fewestPoses && knees.backward > 9 * knees.forward
    if isReversed, isKnown {
      diagnosis.conclude(
        "handed", "as the format defines it", .likely, "that is the format's convention")
      return diagnosis.warn(
        "the data look mirrored: \(knees.backward) bent knees point to the back of the body, "
          + "\(knees.forward) to its front",
        "if the images were mirrored before detection, give --mirrored")
    }
    let isClear =
      isReversed || (all >= BodySurvey.fewestPoses && knees.forward > 9 * knees.backward)
    let program = isClear || isKnown ? nil : named?.leftHanded
    let isLeft = isReversed || program != nil
    if isLeft { map.axes[2] = map.axes[2].opposite }
    diagnosis.conclude(
      "handed", isLeft ? "left-handed axes: one is reversed" : "right-handed axes",
      isClear ? .sure : isKnown || program != nil ? .likely : .unsure,
      program.map { "names or points are \($0)'s; too few bent knees confirm it" }
        ?? (all == 0
          ? "no knee is bent enough to show it; "
            + (isKnown ? "that is the format's convention" : "assumed")
          : "\(knees.forward) bent knees point to the front of the body, \(knees.backward) to its "
            + "back"),
      alternatives: isClear || isKnown || program != nil
        ? [] : ["the third of `axes` with the opposite sign"])
  }

  private mutating func examinePelvis(
    _ evidence: String, _ frames: [[Joint: Vector3]], _ cameras: [CameraMatrix?]
  ) {
    diagnosis.conclude(
      "axes", "fixed to the pelvis" + (map.camera.map { ", turned by `\($0.text)`" } ?? ""), .sure,
      evidence)
    guard map.camera != nil else {
      diagnosis.block(
        "positions relative to the pelvis do not show the body's orientation, so standing and "
          + "planking look the same, and no matrix with `camera` in its name was found",
        "name the camera matrix in a map as `camera_matrix`; if there is none, save Vision's "
          + "cameraOriginMatrix with every frame and record again, with the code in "
          + "docs/recording.md")
      return
    }
    map.frame = .pelvis
    let turned = zip(frames, cameras).compactMap { frame, camera in
      camera.map { camera in frame.mapValues { camera.rotation($0) } }
    }
    let y = TableMap.Axis(1)
    let upright = UprightSigns(
      BodySigns(turned), among: Array(TableMap.Axis.everyDirection.prefix(4)))
    guard let choice = UprightChoice(upright, usual: [y]) else { return }
    // Cameras are mostly held upright, so another axis needs strong evidence.
    let axis = choice.isSure || choice.isClear && choice.best.planks > 0.1 ? choice.best.axis : y
    if axis != y { map.up = axis.vector }
    diagnosis.conclude(
      "up", "the camera's \(axis.text)", choice.isSure ? .sure : .unsure,
      axis == choice.best.axis ? choice.evidence : "cameras are mostly held upright",
      alternatives: choice.isSure
        ? [] : ["`up` in the map, or --orientation, --camera and --buffer"])
  }
}

extension BodySigns {
  /// Whether bodies are turned so that their trunks point the same way in every frame.
  var hasFixedTrunk: Bool {
    func turn(_ ways: [Vector3]) -> Double {
      guard let first = ways.first else { return 0 }
      return ways.map { (($0 / $0.norm) - (first / first.norm)).norm }.max() ?? 0
    }
    let bodies = frames.map { BodyPose(limbs: $0).positions }
    func ways(_ one: Joint, _ other: Joint) -> [Vector3] {
      bodies.compactMap { body in
        body[one].flatMap { start in body[other].map { $0 - start } }
      }.filter { $0.norm > 0 }
    }
    let (trunks, thighs) = (ways(.root, .centerShoulder), ways(.leftHip, .leftKnee))
    return trunks.count > 9 && thighs.count > 9 && turn(trunks) < 0.002 && turn(thighs) > 0.2
  }
}
