import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Axes that names settle") struct NamedAxesTests {
  /// A body that lies, so that nothing but names tells which axis points up.
  private func lying(_ index: Int) -> [[Double]] {
    SwayingLimbs.frame(index).map { [$0[1], 0.2 * $0[0], $0[0] + $0[2]] }
  }

  private func up(_ text: String, _ name: String) -> TableMap.Axis? {
    SwayingLimbs.diagnose(text, name).map?.axes[1]
  }

  @Test("Unity's bones have y up and left-handed axes")
  func unity() {
    let bones = [
      "UpperArm", "UpperArm", "LowerArm", "LowerArm", "Hand", "Hand", "UpperLeg", "UpperLeg",
      "LowerLeg", "LowerLeg", "Foot", "Foot",
    ]
    let header = bones.enumerated().flatMap { index, bone in
      ["x", "y", "z"].map { (index.isMultiple(of: 2) ? "Left" : "Right") + "\(bone).\($0)" }
    }
    let rows = (0..<40).map { index in
      ([Double(index) / 30] + lying(index).flatMap { $0 }).map { "\($0)" }.joined(separator: ",")
    }
    let text = ([(["time"] + header).joined(separator: ",")] + rows).joined(separator: "\n")
    let map = SwayingLimbs.diagnose(text).map
    #expect(map?.axes == [TableMap.Axis(0), TableMap.Axis(1), TableMap.Axis(2, isNegative: true)])
  }

  private func named(_ text: String, _ name: String) throws -> NamedAxes? {
    let table = try PoseTable(
      NamedBytes(name: name, bytes: Array(text.utf8)), layout: PoseTable.Layout())
    return NamedAxes(try #require(SwayingLimbs.diagnose(text, name).map).joints, table)
  }

  @Test("Points as Unity prints them have as many decimals everywhere")
  func printedPoints() throws {
    func lines(_ print: (Double) -> String) -> String {
      (0..<40).map { index in
        let joints = zip(SwayingLimbs.names, lying(index)).map { name, point in
          let key = name.prefix(1).uppercased() + name.dropFirst()
          return "\"\(key)\":\"(\(point.map(print).joined(separator: ", ")))\""
        }
        return "{\"time\":\(Double(index) / 30),\(joints.joined(separator: ","))}\n"
      }.joined()
    }
    let fixed = lines { number in
      let hundredths = Int((number.magnitude * 100).rounded())
      let rest = String(100 + hundredths % 100).dropFirst()
      return "\(number < 0 ? "-" : "")\(hundredths / 100).\(rest)"
    }
    #expect(try named(fixed, "a.jsonl") == .unity)
    #expect(try named(lines { "\($0)" }, "a.jsonl") == nil)
  }

  @Test("The bones of VRM, in lower case, have y up, and other names say nothing")
  func vrm() throws {
    let table = SwayingLimbs.table("time") { "\(Double($0) / SwayingLimbs.rate)" }
    let bones = table.replacing("Shoulder", with: "UpperArm").replacing("Elbow", with: "LowerArm")
      .replacing("Wrist", with: "Hand").replacing("Hip", with: "UpperLeg")
      .replacing("Knee", with: "LowerLeg").replacing("Ankle", with: "Foot")
    #expect(try named(bones, "a.csv") == .upright)
    #expect(try named(table, "a.csv") == nil)
  }

  @Test("Swift's vectors, and dictionaries that Swift encodes as lists, have y up")
  func swift() {
    let printed = (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, lying(index)).map {
        "\"\($0)\":\"SIMD3<Float>(\($1[0]), \($1[1]), \($1[2]))\""
      }
      return "{\"time\":\(Double(index) / 30),\"joints\":{\(joints.joined(separator: ","))}}"
    }
    #expect(up(printed.joined(separator: "\n"), "a.jsonl") == TableMap.Axis(1))
    let pairs = (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, lying(index)).map { "\"\($0)\",\($1)" }
      return "{\"time\":\(Double(index) / 30),\"joints\":[\(joints.joined(separator: ","))]}"
    }
    #expect(up("[\(pairs.joined(separator: ","))]", "a.json") == TableMap.Axis(1))
  }
}
