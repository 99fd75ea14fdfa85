package import PoseModel

/// Reads recordings of PoseNet's tensors.
///
/// Array names contain `heatmap`, `offset`, `fwd` or `forward`, `bwd` or `backward`, and optionally
/// `times` for seconds. Recordings are in pixels of the image, with scores as confidences.
struct PoseNetSource {
  private let map: PoseNetMap
  private let options: TableOptions

  init(_ map: PoseNetMap, _ options: TableOptions) {
    self.map = map
    self.options = options
  }

  func sequences(from files: [NamedBytes]) throws -> [ImportedSequence] {
    let unfit = [
      ("--person", options.person != nil), ("--label", !options.labels.targets.isEmpty),
      ("--cut", options.map.cut != nil), ("--stills", options.map.isStills),
    ]
    if let (option, _) = unfit.first(where: \.1) {
      throw PoseSourceError.invalidOption(
        "an option for PoseNet's tensors", found: option,
        allowed: "--everyone, or no option for the most prominent person; labels come from "
          + "`planklab label import`")
    }
    var sequences: [ImportedSequence] = []
    var loose: [NumpyArchive] = []
    for file in files {
      let archive = try NumpyArchive(file)
      if file.name.hasSuffix(".npy") {
        loose.append(archive)
      } else {
        sequences += try people(in: [archive], file: file.name, name: file.stem)
      }
    }
    if let first = loose.first {
      let name = NamedBytes(name: first.file, bytes: []).stem
      sequences += try people(in: loose, file: first.file, name: name)
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  private func people(
    in archives: [NumpyArchive], file: String, name: String
  ) throws -> [ImportedSequence] {
    var arrays: [PoseNetArrays.Role: NumpyArray] = [:]
    var times: NumpyArray?
    for archive in archives {
      for name in archive.names {
        if let role = PoseNetArrays.Role(name: name), let array = try archive.array(name) {
          guard arrays.updateValue(array, forKey: role) == nil else {
            throw PoseSourceError.unusable(
              archive.file, "two arrays hold \(role.rawValue)", "remove or rename one of them")
          }
        } else if name.lowercased().contains("times") {
          times = try archive.array(name)
        }
      }
    }
    let tensors = try PoseNetArrays(arrays, file: file, stride: map.stride)
    return try sequences(tensors, times: times, file: file, name: name)
  }

  private func sequences(
    _ arrays: PoseNetArrays, times: NumpyArray?, file: String, name: String
  ) throws -> [ImportedSequence] {
    let decoder = PoseNetDecoder(map.decoding)
    var images: [[ImagePerson]] = []
    var transform: InputMap?
    var isEmpty = true
    for image in 0..<arrays.imageCount {
      let tensors = try arrays.tensors(ofImage: image)
      let map = transform ?? InputMap(tensors.inputSize, options.map.imageSize, map.fit)
      transform = map
      isEmpty = isEmpty && tensors.isEmpty
      images.append(decoder.people(in: tensors).map { $0.inImage(map) })
    }
    guard let transform, !isEmpty else {
      throw PoseSourceError.unusable(
        file, "no cell has a score above 0 in any image",
        "give the network's output scores for a photograph")
    }
    let rate = Hertz(options.map.time.rate ?? 30)
    var header = RecordingHeader(skeleton: .coco17, joints: Skeleton.coco17.joints, frame: .image)
    header.subject = options.subject
    header.nominalRate = times == nil ? rate : nil
    header.imageSize = transform.imageSize
    header.orientation = options.map.orientation
    header.cameraPosition = options.map.cameraPosition
    header.buffer = options.map.buffer
    header.isMirrored = options.map.isMirrored
    let seconds =
      try times.map { array throws in
        try Self.seconds(array, count: images.count)
      } ?? images.indices.map { roundedToMicroseconds(Double($0) / rate.value) }
    let people = TrackedPeople(name: name, header: header, times: seconds, images: images)
    var sequences = people.sequences(everyone: options.isEveryone)
    guard
      sequences.map(\.recording).contains(where: { one in
        (0..<one.frameCount).contains(where: one.hasPose)
      })
    else {
      throw PoseSourceError.unusable(
        file, "nobody is found in any image",
        "lower `root_score` or `person_score` in the map, or use `single: true`")
    }
    for index in sequences.indices {
      if times == nil { sequences[index].notes.append("times assume \(rate)") }
      try sequences[index].unmirror(file: file)
    }
    return sequences
  }

  private static func seconds(_ array: NumpyArray, count: Int) throws -> [Double] {
    let seconds = array.count == count ? array.values(0..<count).map(roundedToMicroseconds) : []
    let isIncreasing = zip(seconds.dropFirst(), seconds).allSatisfy { $0 > $1 }
    guard seconds.count == count, isIncreasing, seconds.allSatisfy(\.isFinite) else {
      throw PoseSourceError.unusable(
        array.name, "not \(CountText.of(count, "time")) in increasing order",
        "give each image's time in seconds, at least a microsecond apart")
    }
    return seconds
  }
}

package enum InputFit: String, CaseIterable, Hashable, Sendable {
  case stretch
  /// Scaled evenly to fit inside the input, and centered between bars.
  case pad
  /// Scaled evenly to cover the input, and centered, with edges cut off.
  case crop
}

package struct ImageSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package init?(_ text: String) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Converts a normalized point to pixels from the lower left corner, as
  /// `VNImagePointForNormalizedPoint` does.
  package func pixel(of point: ImagePoint) -> ImagePoint {
    ImagePoint(x: point.x * Double(width), y: point.y * Double(height))
  }
}

extension RecordingHeader {
  package var imageSize: ImageSize? {
    get {
      imageWidth.flatMap { width in imageHeight.map { ImageSize(width: width, height: $0) } }
    }
    set { (imageWidth, imageHeight) = (newValue?.width, newValue?.height) }
  }
}

private struct InputMap {
  let imageSize: ImageSize
  private let scale: SIMD2<Double>
  private let offset: SIMD2<Double>

  init(_ input: (width: Int, height: Int), _ given: ImageSize?, _ fit: InputFit) {
    let size = SIMD2(Double(input.width), Double(input.height))
    imageSize = given ?? ImageSize(width: input.width, height: input.height)
    let image = SIMD2(Double(imageSize.width), Double(imageSize.height))
    let ratios = size / image
    switch fit {
    case .stretch: scale = ratios
    case .pad: scale = SIMD2(repeating: ratios.min())
    case .crop: scale = SIMD2(repeating: ratios.max())
    }
    offset = (size - image * scale) / 2
  }

  func callAsFunction(_ point: PixelPoint) -> SIMD2<Double> {
    (SIMD2(point.x, point.y) - offset) / scale
  }
}

extension DecodedPerson {
  fileprivate func inImage(_ map: InputMap) -> ImagePerson {
    var positions: [Joint: SIMD2<Double>] = [:]
    var confidences: [Joint: Float] = [:]
    for (joint, point) in zip(Skeleton.coco17.joints, points) {
      guard let point else { continue }
      positions[joint] = map(point.position)
      confidences[joint] = Float(point.score)
    }
    return ImagePerson(positions: positions, confidences: confidences)
  }
}
