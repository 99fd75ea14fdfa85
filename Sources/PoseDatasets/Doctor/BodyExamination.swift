import PoseModel

extension TableExamination {
  /// Finds units, axes and missing joints from what bodies look like; what
  /// they do not show is as the built-in map of the format has it.
  mutating func examineBodies(isMediaPipe: Bool) throws {
    let (frames, cameras) = try sampledPoses()
    let all = BodySigns(frames)
    examineZeros(all)
    let signs =
      map.zerosAreMissing
      ? BodySigns(frames.map { $0.filter { $0.key == .root || $0.value.norm > 0 } }) : all
    if map.skeleton.dimension == 2 { return examineImagePoints(signs) }
    let unit = map.units
    var areMeters: Bool {
      signs.reachBeyondImage && signs.stature.map(LengthUnit.statures.contains) ?? false
    }
    if builtIn == nil, signs.areShares, isMediaPipe || !areMeters {
      return examineShares(signs, isMediaPipe: isMediaPipe)
    }
    let scale =
      builtIn != nil && unit.meters == nil ? scaleOfFormat(signs) : examineUnits(signs)
    let meters = signs.recording(metersPerUnit: scale, up: .unitY)
    let (fixed, poses) = meters.posesFixedToPelvis
    let pelvis = poses == 0 ? 0 : Double(fixed) / Double(poses)
    if pelvis > 0.9 {
      examinePelvis(pelvis, frames, cameras)
    } else {
      // Where there is a matrix, positions were turned by it already.
      map.camera = nil
      examineAxes(signs, metersPerUnit: scale, isMediaPipe: isMediaPipe)
    }
  }

  private mutating func examineShares(_ signs: BodySigns, isMediaPipe: Bool) {
    map.units = .image
    diagnosis.conclude(
      "units", "shares of the image, with a depth in its widths", .likely,
      "the hips stay inside the image in x and y, and near 0 in depth",
      alternatives: TableMap.Units.allCases.filter { $0.length != nil }.map(\.rawValue))
    guard let size = map.imageSize else {
      diagnosis.block(
        "the size of the images is not in the file, and without it the body is stretched: a share of "
          + "the width is not as long as a share of the height",
        "give doctor the size, such as --image-size 1920x1080; better, save the world landmarks")
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

  private func sampledPoses() throws -> (
    frames: [[Joint: Vector3]], cameras: [CameraMatrix?]
  ) {
    var plain = map
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
      let frame = try reader.frame(
        sample, number: number, at: table.place(number * table.count / samples.count))
      var positions: [Joint: Vector3] = [:]
      for (joint, position) in zip(joints, frame.positions) where position.isFinite {
        positions[joint] = position
      }
      frames.append(positions)
      cameras.append(frame.camera)
    }
    return (frames, cameras)
  }

  private mutating func examineZeros(_ signs: BodySigns) {
    let fillers = BodySurvey(signs.recording(metersPerUnit: 1, up: .unitY)).fillers
    guard fillers.atOrigin > 0 else { return }
    map.zerosAreMissing = true
    diagnosis.conclude(
      "missing", "joints at exactly 0 are missing", .sure,
      "\(CountText.of(fillers.atOrigin)) of \(CountText.of(fillers.positions)) positions besides the "
        + "root's are at 0, 0, 0")
  }

  private mutating func scaleOfFormat(_ signs: BodySigns) -> Double {
    diagnosis.conclude(
      "units", "those of the image: bodies are scaled to \(ReferenceBody.height)", .sure,
      "the format has no unit of length")
    return signs.stature.map { ReferenceBody.height.value / $0 } ?? 1
  }

  private mutating func examineUnits(_ signs: BodySigns) -> Double {
    guard let stature = signs.stature else {
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
      diagnosis.conclude(
        "units", unit.rawValue, (1.3...2.1).contains(meters) ? .sure : .likely,
        "the body would be \(Self.short(meters)) m tall, by trunk and legs")
      return scale
    }
    map.units = .body
    diagnosis.conclude(
      "units", "none that is known: bodies are scaled to \(ReferenceBody.height)", .likely,
      "the body is \(Self.short(stature)) units tall, by trunk and legs")
    return ReferenceBody.height.value / stature
  }

  private static let directions: [(axis: TableMap.Axis, vector: Vector3)] = [
    (TableMap.Axis(0), .unitX), (TableMap.Axis(0, isNegative: true), -.unitX),
    (TableMap.Axis(1), .unitY), (TableMap.Axis(1, isNegative: true), -.unitY),
    (TableMap.Axis(2), Vector3(0, 0, 1)), (TableMap.Axis(2, isNegative: true), Vector3(0, 0, -1)),
  ]

  private func up(
    _ signs: BodySigns, among count: Int = 6
  ) -> (index: Int, cosine: Double, isClear: Bool) {
    let cosines = signs.armsBelow(Self.directions.prefix(count).map(\.vector))
    let best = cosines.indices.max { cosines[$0] < cosines[$1] } ?? 2
    let next = cosines.indices.filter { $0 != best }.map { cosines[$0] }.max() ?? 0
    return (best, cosines[best], cosines[best] >= 0.5 && cosines[best] >= next + 0.2)
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

  private mutating func examineAxes(
    _ signs: BodySigns, metersPerUnit: Double, isMediaPipe: Bool
  ) {
    let (index, cosine, isClear) = up(signs)
    // MediaPipe has y down; most others have it up.
    let usual = Self.directions.firstIndex { $0.axis == builtIn?.axes[1] } ?? (isMediaPipe ? 3 : 2)
    let direction = Self.directions[isClear ? index : usual]
    map.axes = Self.axes(up: direction.axis)
    if map.anchor != nil { map.frame = .world }
    let survey = BodySurvey(signs.recording(metersPerUnit: metersPerUnit, up: direction.vector))
    let standing = survey[.up].standing
    diagnosis.conclude(
      "up", "the file's \(direction.axis.text)",
      !isClear
        ? (builtIn == nil ? .unsure : .likely)
        : standing > 0 || cosine > 0.7 ? .sure : .likely,
      isClear
        ? "elbows are below shoulders along it: a mean cosine of \(Self.short(cosine))"
          + (standing > 0 ? "; somebody stands along it in \(CountText.of(standing, "frame"))" : "")
        : "along no axis are elbows clearly below shoulders"
          + (builtIn != nil
            ? "; the format has it so" : isMediaPipe ? "; MediaPipe has y down" : ""),
      alternatives: isClear || builtIn != nil ? [] : Self.directions.map(\.axis.text))
    if !isClear, builtIn == nil {
      diagnosis.warn(
        "which axis points up cannot be told from these poses",
        "check `axes` in the map, of which the second is up; a few seconds of standing would show it"
      )
    }
    examineHandedness(survey.knees)
  }

  private mutating func examineHandedness(_ knees: KneeCounts) {
    let all = knees.forward + knees.backward
    let isReversed = knees.backward >= BodySurvey.fewestPoses && knees.backward > 9 * knees.forward
    if isReversed { map.axes[2] = map.axes[2].opposite }
    let isClear =
      isReversed || (all >= BodySurvey.fewestPoses && knees.forward > 9 * knees.backward)
    diagnosis.conclude(
      "handed", isReversed ? "left-handed axes: one is turned around" : "right-handed axes",
      isClear ? .sure : builtIn == nil ? .unsure : .likely,
      all == 0
        ? "no knee is bent enough to tell; \(builtIn == nil ? "assumed" : "the format has it so")"
        : "\(knees.forward) bent knees point to the front of the body, \(knees.backward) to its back",
      alternatives: isClear || builtIn != nil ? [] : ["the third of `axes` with the other sign"])
  }

  private mutating func examinePelvis(
    _ share: Double, _ frames: [[Joint: Vector3]], _ cameras: [CameraMatrix?]
  ) {
    let evidence =
      "the hips lie on the x axis and the spine has no depth in "
      + "\(Int((share * 100).rounded())) % of the frames"
    diagnosis.conclude(
      "axes", "fixed to the pelvis" + (map.camera.map { ", turned by `\($0.text)`" } ?? ""), .sure,
      evidence)
    guard map.camera != nil else {
      diagnosis.block(
        "positions relative to the pelvis do not show how the body lies: standing and plank look the "
          + "same, and the file has no camera matrix",
        "save Vision's cameraOriginMatrix (16 numbers) with every frame and record again; "
          + "docs/recording.md has the code")
      return
    }
    map.frame = .pelvis
    let turned = zip(frames, cameras).compactMap { frame, camera in
      camera.map { camera in frame.mapValues { camera.rotation($0) } }
    }
    let (index, cosine, isClear) = up(BodySigns(turned), among: 4)
    let direction = isClear ? Self.directions[index] : Self.directions[2]
    if direction.axis != TableMap.Axis(1) { map.up = direction.vector }
    diagnosis.conclude(
      "up", "the camera's \(direction.axis.text)", isClear ? .sure : .unsure,
      "elbows are below shoulders along it: a mean cosine of \(Self.short(cosine))",
      alternatives: isClear ? [] : ["what --orientation, --camera and --buffer say"])
  }

  private mutating func examineImagePoints(_ signs: BodySigns) {
    map.units = signs.largest <= 2 ? .image : .pixels
    let cosines = signs.armsBelow([.unitY, -.unitY])
    let isDown = cosines[1] >= cosines[0]
    map.axes = [TableMap.Axis(0), TableMap.Axis(1, isNegative: isDown)]
    if map.units == .pixels, map.skeleton == .vision2d || map.skeleton == .coco17 {
      diagnosis.conclude(
        "units", "pixels", .sure, "coordinates go up to \(Self.short(signs.largest))")
    } else {
      diagnosis.conclude(
        "units", "shares of the image", .sure, "coordinates go up to \(Self.short(signs.largest))")
    }
    let best = max(cosines[0], cosines[1])
    diagnosis.conclude(
      "up", isDown ? "y points down" : "y points up", best > 0.5 ? .sure : .unsure,
      "elbows are below shoulders that way: a mean cosine of \(Self.short(best))")
    if let size = map.imageSize {
      diagnosis.conclude(
        "image", "\(size.width) x \(size.height) pixels", .sure,
        "the file or --image-size says so")
    } else {
      diagnosis.block(
        "the size of the images is not in the file, and points have no shape without it",
        "give doctor the size, such as --image-size 1080x1920; it goes into the map")
    }
  }
}
