import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Metric intervals")
struct MetricIntervalsTests {
  private func intervals(_ count: Int) -> MetricIntervals {
    let values = (0..<count).map { Double($0 * $0) }
    let draws = ClusterResamples(
      clusters: count, count: 500, stream: RandomStream(seed: 1, purpose: "bootstrap"))
    return MetricIntervals(
      ClusterSample.make(draws) { drawn in
        [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
      }[0])
  }

  @Test(
    "Below 15 subjects both are shown, above only the corrected bootstrap", arguments: [14, 15])
  func shown(subjects: Int) {
    let found = intervals(subjects)
    #expect(found.shown == (subjects < 15 ? [found.clusterT, found.bca] : [found.bca]))
  }

  @Test("The wider one decides", arguments: [4, 8, 30])
  func wider(subjects: Int) throws {
    let found = intervals(subjects)
    let widest = try max(found.clusterT.get().width, found.bca.get().width)
    #expect(try found.wider.get().width == widest)
  }

  @Test("Where the bootstrap has none, Student's t decides; without that there is none")
  func gaps() throws {
    let oneSided = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, 9, 10], replicates: [1, 2, 3]))
    #expect(oneSided.bca == .failure(.oneSided))
    #expect(try oneSided.wider.get().method == .clusterT)
    let partial = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, nil, 10], replicates: [8, 9, 10]))
    #expect(partial.wider == .failure(.undefinedWithoutACluster))
  }
}
