internal import PoseModel

/// The recording, the measurements and the labels as the page's script reads them.
enum LabelingData {
  /// The data as JSON that may stand inside a script element.
  static func json(of input: LabelingInput) -> String {
    inert(object(of: input).text)
  }

  /// Escapes what could end the element or a line of it; JSON has these signs in texts only.
  private static func inert(_ json: String) -> String {
    var result = ""
    result.reserveCapacity(json.utf8.count)
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case "&": result += "\\u0026"
      case "\u{2028}": result += "\\u2028"
      case "\u{2029}": result += "\\u2029"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func object(of input: LabelingInput) -> JSONValue {
    let recording = input.recording
    let poses = UprightPoses(recording)
    return .object([
      "name": .string(input.name),
      "labels_file": .string(input.labelsFileName),
      "facts": .array(input.facts.map { .array([.string($0.name), .string($0.value)]) }),
      "joints": .array(recording.header.joints.map { .string($0.name) }),
      "bones": .array(bones(of: recording.header)),
      "dimension": .integer(recording.layout.dimension),
      "unit": .number(poses.unit),
      "positions": .string(Base64.text(of: poses.positions)),
      "states": .string(Base64.text(of: poses.states.map(\.rawValue))),
      "times": .string(Base64.text(of: recording.times.map(\.bitPattern))),
      "end": .number(end(of: recording)),
      "strips": .array(input.strips.map(strip)),
      "labels": .array((input.labels?.segments ?? []).map(segment)),
      "plank_classes": .array(PlankClass.allCases.map { .string($0.name) }),
      "form_classes": .array(FormClass.allCases.map { .string($0.name) }),
    ])
  }

  /// The lines of the figure, as pairs of positions in the recording's joints.
  private static func bones(of header: RecordingHeader) -> [JSONValue] {
    var bones = header.skeleton.bones
    if header.skeleton == .coco17 {
      // PoseNet's tree does not close the trunk.
      bones += [(.leftShoulder, .rightShoulder), (.leftHip, .rightHip)]
    }
    return bones.compactMap { bone in
      guard let parent = header.joints.firstIndex(of: bone.parent),
        let child = header.joints.firstIndex(of: bone.child)
      else { return nil }
      return .array([.integer(parent), .integer(child)])
    }
  }

  /// The time at which the last frame is over: a median interval behind it, in microseconds.
  private static func end(of recording: Recording) -> Double {
    guard let last = recording.times.last else { return 0 }
    let end = last + recording.frameWeight.value
    let rounded = (end * 1e6).rounded() / 1e6
    return rounded > last ? rounded : end
  }

  private static func strip(_ strip: LabelingStrip) -> JSONValue {
    let thresholds = strip.thresholds.filter(\.value.isFinite).map { threshold in
      JSONValue.object(["name": .string(threshold.name), "value": .number(threshold.value)])
    }
    return .object([
      "name": .string(strip.name), "unit": .string(strip.unit),
      "values": .string(Base64.text(of: strip.values.map(\.bitPattern))),
      "thresholds": .array(thresholds),
    ])
  }

  private static func segment(_ segment: LabeledSegment) -> JSONValue {
    .object([
      "start": .number(segment.start.value), "end": .number(segment.end.value),
      "plank": .string(segment.plank?.name ?? "ignore"),
      "form": .string(segment.form?.name ?? ""),
    ])
  }
}
