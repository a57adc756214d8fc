import Foundation
import GuardClient
import GuardRules
import HTTPAPI
import HTTPServing
import Lifecycle
import Postgres
import ShiftDomain
import Testing

/// The client library's requests, answered by the real routes.
@Suite("The client library") struct ClientLibraryTests {
  @Test("works through a shift, although every other answer is lost")  // R: A9, A12, M1
  func shift() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 3, losesAnswers: true)
      let enrolment = try await app.enrol()
      #expect(enrolment.employee == 7 && enrolment.device == 1)
      try await app.session.report(.launch)
      guard case .clockIn = try await app.session.beginClockIn() else {
        Issue.record("no clock-in")
        return
      }
      try await app.drain()
      for _ in 1...250 {
        world.clock.move(by: .seconds(10))
        try await app.session.record(app.fix)
      }
      try await app.session.rest(until: world.clock.now + .minutes(10))
      _ = try await app.session.startBreak()
      try await app.drain()
      world.clock.move(by: .minutes(10))
      _ = try await app.session.endBreak()
      try await app.drain()
      try await app.session.report(.foreground)
      try await app.drain()
      let status = try #require(await app.session.refresh())
      #expect(status.openShift == 1 && status.tracking.track)
      #expect(status.trackingState == "tracked" && status.trackingReason == nil)
      #expect(status.trackingDevice == 1 && status.onBreakSince == nil && status.incidents == [])
      #expect(try #require(status.startedAt) < world.clock.now)
      #expect(status.decision?.verdict == .allow)
      #expect(status.guidance?.isAcknowledged != nil)
      _ = try await app.session.clockOut()
      try await app.drain()
      let events = await app.events()
      #expect(events.clockActions == ["recorded", "recorded", "recorded", "recorded"])
      #expect(events.refusals.isEmpty)
      #expect(await app.session.waiting == 0)
      let after = try #require(await app.session.refresh())
      #expect(after.openShift == nil && after.trackingState == "off_shift")
    }
  }

  @Test("shows why it is blocked, and what helps")  // R: A8
  func blocked() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 2)
      _ = try await app.enrol()
      #expect(try await app.session.beginClockIn() == .notice(.denied, .openAppSettings))
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      try await app.drain()
      let events = await app.events()
      #expect(events.clockActions == ["clock_in_blocked open_app_settings block 1"])
      #expect(await app.session.waiting == 0)
    }
  }

  @Test("shows the way through the settings by the app's own name and the system's version")
  func steps() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 2)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      let guidance = try #require(await app.session.refresh()?.guidance)
      #expect(guidance.explanation == nil)
      let remedy = try #require(guidance.remedies.first)
      #expect(remedy.severity == .block)
      #expect(remedy.steps.contains { $0.contains("Field Work") }, "\(remedy.steps)")
    }
  }

  @Test("has the texts of the explanation, and what interrupts a shift since when")
  func texts() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 0)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      let explanation = try #require(await app.session.refresh()?.guidance?.explanation)
      #expect(explanation.title == "Ihr Standort während der Schicht")
      #expect(!explanation.platformNotes.isEmpty && !explanation.later.isEmpty)
      await app.location.become(3)
      guard case .clockIn = try await app.session.beginClockIn() else {
        Issue.record("no clock-in")
        return
      }
      try await app.drain()
      world.clock.move(by: .minutes(1))
      await app.location.become(2)
      try await app.session.report(.foreground)
      try await app.drain()
      let status = try #require(await app.session.refresh())
      #expect(status.trackingState == "not_tracked" && status.trackingReason == "denied")
      #expect(status.incidents?.map(\.kind) == ["denied"])
      #expect(status.incidents?.first?.openedAt == world.clock.now)
    }
  }

  @Test("asks for the state again without getting what it knows")
  func unchanged() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      _ = app.answers.take()
      let first = try #require(await app.session.refresh())
      world.clock.move(by: .minutes(1))
      #expect(await app.session.refresh() == first)
      #expect(app.answers.take() == ["/v1/me 200", "/v1/me 304"])
      await app.location.become(2)
      try await app.session.report(.foreground)
      try await app.drain()
      _ = app.answers.take()
      #expect(await app.session.refresh()?.decision?.blocking == FindingSet(.denied))
      #expect(app.answers.take() == ["/v1/me 200"])
    }
  }

  // R: M5
  @Test(
    "decides as the server does, and the server keeps the decision",
    arguments: [2, 3, 4] as [Int64])
  func sameDecision(_ status: Int64) async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: status)
      _ = try await app.enrol()
      #expect(await app.session.refresh()?.rules?.policyVersion == 1)
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      try await app.drain()
      #expect(await app.events().clockActions.count == 1)
      #expect(world.differences.all.isEmpty)
      let kept = try await world.count(
        """
        SELECT count(*) FROM clock_action WHERE local_policy_version = 1
          AND local_blocking = blocking AND local_warning = warning
        """)
      #expect(kept == 1)
    }
  }

  @Test("tells the server that it has decided otherwise, with the numbers of the decision")
  func difference() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 3, warnsWrongly: true)
      _ = try await app.enrol()
      _ = await app.session.refresh()
      guard case .warning = try await app.session.beginClockIn(),
        case .clockIn = try await app.session.answerClockIn(.proceed)
      else {
        Issue.record("no clock-in")
        return
      }
      try await app.drain()
      try await app.drain()
      let difference = try #require(world.differences.all.first)
      #expect(world.differences.all.count == 1)
      #expect(difference.local.warning == FindingSet(.alwaysUnproven))
      #expect(difference.server.informing == FindingSet(.alwaysUnproven))
      #expect(difference.policyVersion == 1 && difference.rulesVersion == "A 1")
      #expect(difference.arguments.count == 9)
      #expect(difference.arguments.dropFirst().first == world.clock.now.milliseconds)
    }
  }

  // R: A20
  @Test("notes what it shows and how it helps, once, although every other answer is lost")
  func appEvents() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 2, losesAnswers: true)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      world.clock.move(by: .milliseconds(410))
      await app.session.note(.indicatorShown)
      _ = try await app.session.beginClockIn()
      #expect(try await app.session.answerClockIn(.proceed) == .away(.openAppSettings))
      try await app.drain()
      world.clock.move(by: .seconds(20))
      await app.location.become(3)
      guard case .clockIn = try await app.session.answerClockIn(.returned) else {
        Issue.record("no clock-in")
        return
      }
      await app.session.note(.explanationShown)
      await app.session.note(.dialogAnswered(.always))
      await app.session.note(.answerShown(clockAction: "in-1"))
      try await app.drain()
      let kinds = try await world.count("SELECT count(DISTINCT kind) FROM app_event")
      let events = try await world.count("SELECT count(*) FROM app_event")
      #expect(kinds == 7 && events == 7)
      let delays = try await world.count("SELECT sum(after_ms) FROM app_event")
      #expect(delays == 410)
    }
  }

  @Test("keeps an offline clock-in and its positions until the review is known")
  func kept() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 2)
      _ = try await app.enrol()
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      world.clock.move(by: .minutes(5))
      try await app.session.record(app.fix)
      world.clock.move(by: .minutes(5))
      let pause = await app.session.send()
      #expect(pause == .minutes(15))
      #expect(await app.events().clockActions == ["kept blocked pending"])
      #expect(await app.session.waiting == 2)
    }
  }

  @Test("sends the downgrade and the grant of one second as a list, and stops without a token")
  func reports() async throws {
    try await DeviceWorld.run { world in
      let app = try ClientApp(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      for status in [2, 3] as [Int64] {
        await app.location.become(status)
        try await app.session.report(.change)
      }
      world.clock.move(by: .seconds(1))
      try await app.drain()
      #expect(await app.session.waiting == 0)
      await app.session.acknowledge(FindingSet(.alwaysUnproven))
      #expect(await app.session.refresh()?.guidance?.isAcknowledged == true)
      await app.tokens.store("sg_7_1_wrong")
      try await app.session.signOfLife()
      #expect(await app.session.send() == nil)
      let events = await app.events()
      #expect(events.isUnauthorized && events.refusals.isEmpty)
      #expect(await app.session.waiting == 1)
    }
  }
}
