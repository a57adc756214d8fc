import GuardClient
import ShiftDomain
import Testing

@testable import LoadSimulation

@Suite("Load plan") struct PlanTests {
  private func uploads(_ shape: LoadShape, phone: Int = 0, _ count: Int = 400) -> [PlannedUpload] {
    var plan = UploadPlan(shape, phone: phone, of: 10)
    return (0..<count).map { _ in plan.next() }
  }

  private var wild: LoadShape {
    var shape = LoadShape()
    (shape.items, shape.pingsPerSecond) = (1...20, 100)
    (shape.duplicatePercent, shape.latePercent, shape.shuffledPercent) = (10, 20, 30)
    return shape
  }

  @Test("the same seed gives the same plan, another phone or seed a different one") func seed() {
    #expect(uploads(wild) == uploads(wild))
    #expect(uploads(wild) != uploads(wild, phone: 1))
    var other = wild
    other.seed = 2
    #expect(uploads(wild) != uploads(other))
  }

  @Test("every ping is sent in the end; the requested shares are repeated, late and shuffled")
  func shares() {
    let planned = uploads(wild)
    var seen: Set<Int> = []
    var (repeated, late, shuffled) = (0, 0, 0)
    var newest = -1
    for upload in planned {
      #expect(!upload.pings.isEmpty)
      repeated += upload.pings.count { seen.contains($0) }
      late += upload.pings.count { !seen.contains($0) && $0 < newest }
      if upload.pings != upload.pings.sorted(), !upload.pings.contains(where: seen.contains) {
        shuffled += 1
      }
      seen.formUnion(upload.pings)
      newest = max(newest, upload.pings.max() ?? -1)
    }
    // Only the pings still held back at the end are missing.
    #expect(Set(0...newest).subtracting(seen).count <= UploadPlan.heldBackMax)
    #expect((15...65).contains(repeated), "\(repeated) of 400 uploads repeat one")
    let share = Double(late) / Double(seen.count)
    #expect((0.1...0.25).contains(share), "\(share) of the pings are late")
    #expect(shuffled > 50)
  }

  @Test("by default the pings are sent one after the other") func plain() {
    #expect(uploads(LoadShape(), 5).map(\.pings) == [[0], [1], [2], [3], [4]])
    #expect(uploads(LoadShape(), 5).allSatisfy { $0.due == .zero })
  }

  @Test("the rate is that of all phones together") func rate() {
    var shape = LoadShape()
    shape.pingsPerSecond = 100
    // Ten phones, so each sends one every 100 ms.
    let due = uploads(shape, 11).map(\.due)
    #expect(due.last.map { $0 - due[0] } == .seconds(1))
    #expect((.zero..<TimeSpan.milliseconds(100)).contains(due[0]))
  }

  @Test("downgrades and restorations alternate at the requested rate") func downgrades() {
    var shape = LoadShape()
    shape.downgradesPerMinute = 120
    var before = 0
    for phone in 0..<10 {
      var plan = ReportPlan(shape, phone: phone, of: 10)
      var last = TimeSpan.zero
      for turn in 0..<100 {
        guard let report = plan.next(), report.due <= .seconds(60) else { break }
        #expect(report.isDowngrade == turn.isMultiple(of: 2))
        #expect(report.due > last || turn == 0)
        last = report.due
        if report.isDowngrade { before += 1 }
      }
    }
    #expect((110...130).contains(before))
  }

  @Test("each ping has a place of its own, to seven digits of a degree") func pings() {
    let record = PhoneRecord(
      device: DeviceID(employee: EmployeeID(7), number: 1),
      start: Instant(milliseconds: 1_780_000_000_000), spacing: .milliseconds(10))
    let pings = [0, 3, 270_271].map { RecordedPing($0, of: record) }
    let request = StampedRequest.pings(pings).attempt(at: record.start, token: "t")
    let rest = #","accuracy":8.5,"speed":1.4,"battery":80}"#
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"sentAt":"2026-05-28T20:26:40.000Z","pings":["#
        + #"{"recordedAt":"2026-05-28T20:26:40.000Z","latitude":45.0,"longitude":13.0"# + rest
        + #",{"recordedAt":"2026-05-28T20:26:40.030Z","latitude":45.0000111,"#
        + #""longitude":13.0000159"# + rest
        + #",{"recordedAt":"2026-05-28T21:11:42.710Z","latitude":45.0000027,"#
        + #""longitude":13.4324363"# + rest + "]}")
  }

  @Test("without downgrades there is no report") func none() {
    var plan = ReportPlan(LoadShape(), phone: 0, of: 1)
    #expect(plan.next() == nil)
  }
}
