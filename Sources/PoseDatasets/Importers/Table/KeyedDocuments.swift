import PoseModel
import PoseRecording

/// The members of an object under meaningless keys, such as the ids of a database's documents, each
/// with a pose.
///
/// A time or a frame number in every member puts them in order.
struct KeyedDocuments {
  let count: Int
  /// How many members share no field with those that have a pose.
  let left: Int
  /// The field by which `order` sorts the members; nil if no field does.
  private(set) var field: FieldPath?
  private(set) var order: [Int] = []

  private static let fewest = 5
  private static let checked = 8

  init?(_ members: [(String, TableElement)], in text: JSONText) throws {
    guard let body = try Self.body(of: members, in: text) else { return nil }
    // Documents without a pose lack some fields; a member with none of them is not a document.
    let all = try members.indices.map { ($0, try text.frame(members[$0].1)) }
      .filter { !Set($0.1.objectKeys).isDisjoint(with: body.objectKeys) }
    (count, left) = (all.count, members.count - all.count)
    let paths = FieldSearch(body).scalars.map(\.path).filter { path in
      ClockName(path.lastKey).meaning >= .weakCounter && path.steps.allSatisfy { $0.name != nil }
    }
    var best: (rank: Int, times: [Double])?
    for path in paths {
      guard let times = Self.times(path, beside: paths, in: all.map(\.1)) else { continue }
      let name = ClockName(path.lastKey)
      let growth = ClockGrowth(times.sorted())
      let rank = 2 * name.meaning.rawValue + (name.isOfStoring ? 0 : 1)
      guard growth.isStrict, name.meaning >= .weakTime || growth.isCount, rank > best?.rank ?? 0
      else { continue }
      (best, field) = ((rank, times), path)
    }
    guard let times = best?.times else { return }
    order = times.indices.sorted { times[$0] < times[$1] }.map { all[$0].0 }
  }

  /// What is wrong with documents that nothing orders.
  var disorder: (found: String, remedy: String) {
    (
      "\(CountText.of(count, "pose")) are under keys that are neither times nor numbers, and nothing "
        + "in them gives their order",
      "save the time of every frame beside its pose, or save the frames as a list in order"
    )
  }

  /// Returns a member with the fields that most members have, if it is a pose and keys are ids.
  private static func body(
    of members: [(String, TableElement)], in text: JSONText
  ) throws -> JSONNode? {
    let ids = members.map(\.0)
    // Keys such as `kp0` and `kp1` count points, and `x` and `y` are coordinates of all points.
    guard members.count >= fewest, FrameKeys.frames(among: ids) == nil,
      Set(ids.map(NaturalOrder.shape)).count >= fewest,
      !ids.contains(where: { JointNames.isJoint($0) || $0.lowercased() == "x" })
    else { return nil }
    let places = (0..<checked).map { $0 * members.count / checked }
    let shapes = try places.grouped { try text.members(of: members[$0].1).map(\.0).sorted() }
    guard let most = shapes.max(by: { $0.elements.count < $1.elements.count }),
      !most.key.isEmpty, 2 * most.elements.count > checked
    else { return nil }
    let body = try text.frame(members[most.elements[0]].1)
    return PeopleSearch.isBody(body) && !holdsFrames(body) ? body : nil
  }

  /// Whether a member has a list of bodies with times of their own, as a recording has.
  private static func holdsFrames(_ member: JSONNode) -> Bool {
    FieldSearch(member).scalars.contains { path, _ in
      ClockName(path.lastKey).meaning == .time && path.steps.contains { $0.name == nil }
    }
  }

  /// The times of all members, with the nanoseconds beside whole seconds; nil if one has none.
  private static func times(
    _ path: FieldPath, beside others: [FieldPath], in nodes: [JSONNode]
  ) -> [Double]? {
    func numbers(_ path: FieldPath) -> [Double]? {
      let found = path.nodes(in: nodes).mapAll { node in
        (node.number ?? node.ownText.flatMap { ClockText.seconds($0, rate: 1000) })
          .flatMap { $0.isFinite ? $0 : nil }
      }
      return found?.count == nodes.count ? found : nil
    }
    func unit(_ path: FieldPath) -> Double { ClockName(path.lastKey).unit?.seconds ?? 0 }
    let beside = others.filter { $0 != path && $0.parent == path.parent && unit($0) > 0 }
    let isPart = (1e-9..<1).contains(unit(path)) && beside.contains { unit($0) == 1 }
    guard !isPart, let whole = numbers(path) else { return nil }
    guard unit(path) == 1, let part = beside.first(where: { unit($0) < 1 }),
      let parts = numbers(part)
    else { return whole }
    return zip(whole, parts).map { $0 + $1 * unit(part) }
  }
}

extension TableContent {
  /// The documents in place of the list of frames; nil if there is a list, or members are something
  /// else.
  func documents(_ layout: PoseTable.Layout) throws -> KeyedDocuments? {
    guard case .json(let text) = self, text.shape == nil, layout.kind == .frames,
      !layout.isFramePerFile, text.roots.count == 1,
      let element = try text.element(at: layout.frames)
    else { return nil }
    return try KeyedDocuments(text.members(of: element), in: text)
  }

  /// Refuses documents under ids that nothing orders, which would become one frame.
  func requireOrder(_ layout: PoseTable.Layout) throws {
    guard let documents = try documents(layout), documents.field == nil else { return }
    let (found, remedy) = documents.disorder
    throw PoseSourceError.unusable(file, found, remedy)
  }
}
