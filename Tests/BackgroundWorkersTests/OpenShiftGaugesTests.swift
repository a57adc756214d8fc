import DeviceOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Telemetry
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("What operators see of open shifts") struct OpenShiftGaugesTests {
  private static func lines(_ metrics: Metrics) -> [String] {
    metrics.render().split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("shiftguard_open_") && !$0.hasSuffix(" 0")
    }
  }

  // R: W26
  @Test("are shifts and incidents of the whole installation, by kind and system of the phone")
  func counted() async throws {
    try await WatchWorld.run(3) { world in
      let metrics = Metrics()
      let gauges = OpenShiftGauges(metrics)
      func show() async throws {
        gauges.show(try await world.operations.background.openShiftCounts())
      }
      try await show()
      #expect(Self.lines(metrics) == [])
      try await world.clockIn()
      try await world.write([
        "UPDATE device SET platform = 1, os_version = '17.4.1' WHERE employee_id = 1",
        "UPDATE device SET platform = 2, os_version = 'Android 14' WHERE employee_id > 1",
      ])
      try await world.report(.denied)
      try await show()
      #expect(
        Self.lines(metrics) == [
          #"shiftguard_open_incidents{kind="denied",platform="ios",version="17"} 1"#,
          #"shiftguard_open_shifts{platform="android",version="14"} 2"#,
          #"shiftguard_open_shifts{platform="ios",version="17"} 1"#,
        ])
      world.move(to: .minutes(5))
      try await world.phones[0].clockOut("out")
      try await show()
      #expect(
        Self.lines(metrics) == [#"shiftguard_open_shifts{platform="android",version="14"} 2"#])
    }
  }

  @Test("are bounded, whatever versions phones name, and lose no shift")
  func bounded() {
    let metrics = Metrics()
    let gauges = OpenShiftGauges(metrics)
    var shifts: [OpenShiftCounts.PhoneGroup: Int64] = [:]
    for version in 0..<500 { shifts[.init(platform: .android, version: "\(version)")] = 1 }
    gauges.show(OpenShiftCounts(shifts: shifts, incidents: [:]))
    gauges.show(OpenShiftCounts(shifts: shifts, incidents: [:]))
    let lines = Self.lines(metrics)
    #expect(lines.count == OpenShiftGauges.versionsEnd + 1)
    #expect(lines.contains { $0.contains(#"version="199""#) }, "\(lines)")
    let total = lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    #expect(total == 500)
  }
}
