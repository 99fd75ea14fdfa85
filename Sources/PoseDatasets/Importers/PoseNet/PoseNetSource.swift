package import PoseModel

/// An archive (`.npz`) holds the arrays of one recording; single arrays (`.npy`) are those of one
/// recording together.
///
/// Names say which is which: `heatmap`, `offset`, `fwd` or `forward`, `bwd` or `backward` within
/// them, and `times` for seconds, if there are any. Recordings are in pixels of the image, with
/// scores as confidences.
package struct PoseNetSource: PoseSource {
  package static let name = "posenet"
  package static let summary = "NumPy arrays of PoseNet's output tensors"

  package let options: PoseNetOptions

  package init(options: PoseNetOptions) { self.options = options }

  package func sequences(from files: [NamedBytes]) throws -> [ImportedSequence] {
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
        if let role = PoseNetArrays.Role(name: name) {
          guard arrays.updateValue(try array(name, archive), forKey: role) == nil else {
            throw PoseSourceError.unusableValues(
              name: archive.file, found: "two arrays hold \(role.rawValue)",
              remedy: "leave out or rename one of them")
          }
        } else if name.lowercased().contains("times") {
          times = try archive.array(name)
        }
      }
    }
    let tensors = try PoseNetArrays(arrays, file: file, stride: options.stride)
    return try sequences(tensors, times: times, file: file, name: name)
  }

  private func array(_ name: String, _ archive: NumpyArchive) throws -> NumpyArray {
    guard let array = try archive.array(name) else {
      throw PoseSourceError.missingArrays(file: archive.file, missing: [name], found: archive.names)
    }
    return array
  }

  private func sequences(
    _ arrays: PoseNetArrays, times: NumpyArray?, file: String, name: String
  ) throws -> [ImportedSequence] {
    let decoder = PoseNetDecoder(options.decoding)
    var images: [[ImagePerson]] = []
    var map: InputMap?
    var isEmpty = true
    for image in 0..<arrays.imageCount {
      let tensors = try arrays.tensors(ofImage: image)
      let transform = map ?? InputMap(tensors.inputSize, options: options)
      map = transform
      isEmpty = isEmpty && tensors.isEmpty
      images.append(decoder.people(in: tensors).map { $0.inImage(transform) })
    }
    guard let map, !isEmpty else {
      throw PoseSourceError.unusableValues(
        name: file, found: "no cell has a score above 0 in any image",
        remedy: "give the network's output scores for a photograph")
    }
    var header = RecordingHeader(
      skeleton: .coco17, joints: Skeleton.coco17.joints, frame: .image)
    header.subject = options.subject
    header.nominalRate = times == nil ? options.frameRate : nil
    header.imageSize = map.imageSize
    let seconds =
      try times.map { array throws in
        try Self.seconds(array, count: images.count)
      } ?? images.indices.map { roundedToMicroseconds(Double($0) / options.frameRate.value) }
    let people = TrackedPeople(
      name: name, header: header, times: seconds, images: images, recorded: { $0 })
    return people.sequences(everyone: options.isEveryone).map { sequence in
      var sequence = sequence
      if times == nil { sequence.notes.append("times assume \(options.frameRate)") }
      return sequence
    }
  }

  private static func seconds(_ array: NumpyArray, count: Int) throws -> [Double] {
    let seconds = array.count == count ? array.values(0..<count).map(roundedToMicroseconds) : []
    let isIncreasing = zip(seconds.dropFirst(), seconds).allSatisfy { $0 > $1 }
    guard seconds.count == count, isIncreasing, seconds.allSatisfy(\.isFinite) else {
      throw PoseSourceError.unusableValues(
        name: array.name, found: "not \(CountText.of(count, "time")) in increasing order",
        remedy: "give each image's time in seconds, at least a microsecond apart")
    }
    return seconds
  }
}

package struct PoseNetOptions: Hashable, Sendable {
  package let decoding: PoseNetDecoding
  /// Pixels of the network's input per cell: 8, 16 or 32.
  package let stride: Int
  package let imageSize: ImageSize?
  package let fit: InputFit
  package let frameRate: Hertz
  package let isEveryone: Bool
  package let subject: String?

  package init(
    decoding: PoseNetDecoding = PoseNetDecoding(), stride: Int = 16, imageSize: ImageSize? = nil,
    fit: InputFit = .stretch, frameRate: Hertz = Hertz(30), isEveryone: Bool = false,
    subject: String? = nil
  ) throws {
    try decoding.check()
    guard [8, 16, 32].contains(stride) else {
      throw PoseSourceError.invalidOption(
        "the output stride", found: "\(stride)", allowed: "8, 16 or 32")
    }
    guard (0.1...1000).contains(frameRate.value) else {
      throw PoseSourceError.invalidOption(
        "the frame rate", found: "\(frameRate)", allowed: "0.1 to 1000 Hz, for example 30")
    }
    self.decoding = decoding
    self.stride = stride
    self.imageSize = imageSize
    self.fit = fit
    self.frameRate = frameRate
    self.isEveryone = isEveryone
    self.subject = subject
  }
}

package enum InputFit: String, CaseIterable, Hashable, Sendable {
  case stretch
  /// Scaled as a whole until it fit, in the middle, with bars beside it.
  case pad
  /// Scaled as a whole until it filled the input, in the middle, with its edges cut off.
  case crop
}

package struct ImageSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1080x1920`; both from 1 to 100,000.
  package init?(_ text: String) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// A point in pixels from the lower left corner, as `VNImagePointForNormalizedPoint` has it.
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

  init(_ input: (width: Int, height: Int), options: PoseNetOptions) {
    let size = SIMD2(Double(input.width), Double(input.height))
    imageSize = options.imageSize ?? ImageSize(width: input.width, height: input.height)
    let image = SIMD2(Double(imageSize.width), Double(imageSize.height))
    let ratios = size / image
    switch options.fit {
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
