import PoseModel

/// Motion capture in DeepMimic's format, by forward kinematics.
///
/// One file is the skeleton, every other one a motion. Recordings are in meters, the root at the
/// origin, y up in the world; a rotation makes them camera recordings with an up vector of their
/// own. Each frame holds for its own interval, so times are the sums of the intervals before.
package struct DeepMimicSource: PoseSource {
  package static let name = "deepmimic"
  package static let summary = "JSON motion capture of DeepMimic with its skeleton file"

  /// How motions are to be read.
  package let options: DeepMimicOptions

  /// Makes a source.
  package init(options: DeepMimicOptions = DeepMimicOptions()) { self.options = options }

  package func sequences(
    from files: [NamedText]
  ) throws(PoseSourceError) -> [ImportedSequence] {
    var skeletons: [(file: String, joints: [DeepMimicFile.SkeletonJoint])] = []
    var motions: [(file: NamedText, frames: [[Double]])] = []
    for file in files {
      let content = try DeepMimicFile.read(file)
      if let skeleton = content.skeleton { skeletons.append((file.name, skeleton.joints)) }
      if let frames = content.frames { motions.append((file, frames)) }
    }
    guard let skeleton = skeletons.first, skeletons.count == 1 else {
      throw .skeletonCount(found: skeletons.map(\.file))
    }
    guard !motions.isEmpty else { throw .noMotion(skeleton: skeleton.file) }
    let chain = try KinematicChain(skeleton.joints, file: skeleton.file)
    var sequences: [ImportedSequence] = []
    for motion in motions {
      let clip = MotionClip(file: motion.file, frames: motion.frames, chain: chain)
      sequences.append(try clip.sequence(options: options))
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }
}
