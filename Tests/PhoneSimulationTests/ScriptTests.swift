import GuardClient
import ShiftDomain
import Testing

@testable import PhoneSimulation

@Suite("Script") struct ScriptTests {
  typealias ActRow = (line: String, is: Act)
  static let acts: [ActRow] = [
    ("is denied grant settings", .become(change(Permission("denied", grantPath: "settings")))),
    ("report", .report(nil, trigger: nil)),
    ("report trigger foreground", .report(nil, trigger: "foreground")),
    (
      "report always accuracy full services on background-fix on trigger change",
      .report(
        change(
          Permission(
            "always", accuracy: "full", services: "on", conditions: ["backgroundFix": "on"])),
        trigger: "change")
    ),
    ("check", .check), ("look", .look), ("clock-out", .clockAction(.clockOut)),
    ("clock-in", .clockAction(.clockIn)),
    ("clock-in with-report", .clockAction(.clockIn, withReport: true)),
    ("break-start", .clockAction(.breakStart)), ("break-end", .clockAction(.breakEnd)),
    ("take-over", .clockAction(.takeOver)),
    ("ping", .ping(nil, accuracy: nil, stationary: false)),
    ("ping stationary", .ping(nil, accuracy: nil, stationary: true)),
    (
      "ping 45.5 -13 accuracy 8",
      .ping(Position(latitude: 45.5, longitude: -13), accuracy: 8, stationary: false)
    ),
    ("silent 30s", .stayQuiet(.seconds(30))),
    ("play a.gpx live", .play(Play(file: "a.gpx", manner: .live))),
    ("play \"a b.gpx\" live # c", .play(Play(file: "a b.gpx", manner: .live))),
    (
      "play a.gpx from 2020-12-18T06:16:48Z points 21 live",
      .play(
        Play(
          file: "a.gpx", from: Instant(milliseconds: 1_608_272_208_000), points: 21, manner: .live))
    ),
    ("play a.gpx backlog", .play(Play(file: "a.gpx", manner: .backlog(lead: .seconds(1))))),
    ("play a.gpx backlog lead 0s", .play(Play(file: "a.gpx", manner: .backlog(lead: .zero)))),
  ]

  static func change(_ said: Permission) -> PermissionChange { PermissionChange(said: said) }

  @Test("a line is read as an action", arguments: acts) func act(_ row: ActRow) throws {
    let script = try Script(parsing: "anna \(row.line)")
    guard case .together(let parts) = script.stages.first else {
      Issue.record("no act was read")
      return
    }
    #expect(parts.first?.phone == "anna")
    #expect(parts.first?.steps.map(\.act) == [row.is])
  }

  typealias FaultRow = (script: String, says: String)
  static let faults: [FaultRow] = [
    ("", "the script is empty"),
    ("# only a comment", "the script is empty"),
    ("anna", "line 1: action is missing"),
    ("an;na check", "line 1: `an;na` is not a valid name: use 1 to 40 letters, digits, - and _"),
    (
      "\n\nanna dances",
      "line 3: `dances` is not an action: use is, report, check, look, clock-in, clock-out, "
        + "break-start, break-end, take-over, ping, play, silent, expect"
    ),
    ("anna check twice", "line 1: unexpected word `twice`"),
    (
      "anna report granted",
      "line 1: `granted` is not a valid authorization: use one of unknown, not_determined, "
        + "restricted, denied, when_in_use, always"
    ),
    (
      "anna report always services maybe",
      "line 1: `maybe` is not a valid state of services: use one of unknown, off, on"
    ),
    (
      "anna silent soon",
      "line 1: `soon` is not a valid time of silence: use 500ms, 30s, 2m or 1h, at most 24h"
    ),
    (
      "anna silent 25h",
      "line 1: `25h` is not a valid time of silence: use 500ms, 30s, 2m or 1h, at most 24h"
    ),
    ("wait", "line 1: time to wait is missing"),
    ("anna ping 91 0", "line 1: `91` is not a valid latitude: use -90.0 to 90.0"),
    ("anna ping nan 0", "line 1: `nan` is not a valid latitude: use -90.0 to 90.0"),
    ("anna ping 45", "line 1: longitude is missing"),
    ("anna play a.gpx", "line 1: `live` or `backlog` is missing"),
    (
      "anna play a.gpx points 0 live",
      "line 1: `0` is not a valid count of points: use 1 to 1000000"
    ),
    (
      "anna play a.gpx from noon live",
      "line 1: `noon` is not a valid time: write it as 2020-12-18T06:16:48Z"
    ),
    ("anna play \"a.gpx live", "line 1: a quote is not closed"),
    ("phone anna", "line 1: `code` and the enrolment code are missing"),
    ("phone anna code $NONE", "line 1: `$NONE` is not set in the environment"),
    (
      "phone anna code $CODE platform palm",
      "line 1: `palm` is not a valid platform: use one of unknown, ios, android, web"
    ),
    ("phone anna code 1 $CODE", "line 1: unexpected word `$CODE`"),
    (
      "anna expect status 200",
      "line 1: `expect` needs a step of `anna` since the last wait"
    ),
    (
      "anna check\nwait 1s\nanna expect status 200",
      "line 3: `expect` needs a step of `anna` since the last wait"
    ),
    ("anna check\nanna expect status 99", "line 2: `99` is not a valid status: use 200 to 599"),
    ("anna check\nanna expect detection 5s", "line 2: `under` and a length of time are missing"),
    (
      "anna check\nanna expect luck",
      "line 2: `luck` is not an expectation: use status, stored, duplicate, refused, code, "
        + "verdict, finding, incident, disposition, command, reason, tracking, detection, "
        + "round-trip, fix"
    ),
  ]

  @Test("an invalid line is named, and a secret is never shown", arguments: faults)
  func fault(_ row: FaultRow) {
    #expect {
      try Script(parsing: row.script, variables: ["CODE": "7-SECRET"])
    } throws: {
      "\($0)" == row.says
    }
  }

  @Test("phones share a stage, and a wait separates stages") func stages() throws {
    let script = try Script(
      parsing: """
        # a story
        anna check
        bert check
        anna expect verdict allow
        anna clock-in
        wait 2s

        bert play b.gpx live
        anna play a.gpx live
        anna play b.gpx backlog
        """)
    #expect(script.phones == ["anna", "bert"])
    #expect(script.recordings == ["b.gpx", "a.gpx"])
    #expect(script.stages.count == 3)
    guard case .together(let parts) = script.stages[0], case .pause(.seconds(2)) = script.stages[1]
    else {
      Issue.record("not a stage and a pause")
      return
    }
    #expect(parts.map(\.phone) == ["anna", "bert"])
    #expect(parts[0].steps.map(\.line) == [2, 5])
    #expect(parts[0].steps[0].expectations == [.word(.verdict, "allow")])
  }

  @Test("a recording is shown without its folder") func shownFile() throws {
    let script = try Script(parsing: "anna play ../tracks/a.gpx points 3 live # fast")
    guard case .together(let parts) = script.stages.first else { return }
    #expect(parts.first?.steps.map(\.text) == ["play a.gpx points 3 live"])
    #expect(script.recordings == ["../tracks/a.gpx"])
  }

  @Test("an enrolment code may come from the environment and is not shown")
  func enrolment() throws {
    let script = try Script(
      parsing: "phone anna code $CODE platform android os 14 model \"Pixel 8\" cannot-report",
      variables: ["CODE": "7-SECRET"])
    guard case .together(let parts) = script.stages.first, let step = parts.first?.steps.first
    else {
      Issue.record("no act was read")
      return
    }
    let phone = PhoneDescription(platform: .android, systemVersion: "14", model: "Pixel 8")
    #expect(step.act == .enrol(code: "7-SECRET", phone, canReport: false))
    #expect(!step.text.contains("SECRET"))
  }

  @Test("a change keeps a phone's switches, but not its grant path") func permission() {
    let before = Permission(
      "denied", grantPath: "settings", accuracy: "full", services: "on",
      conditions: ["notifications": "off", "powerSave": "on"])
    let now = Self.change(Permission("always", conditions: ["powerSave": "off"]))
    #expect(
      now.applied(to: before)
        == Permission(
          "always", accuracy: "full", services: "on",
          conditions: ["notifications": "off", "powerSave": "off"]))
    #expect(now.applied(to: nil) == now.said)
  }

  @Test("a script is at most a megabyte long") func length() {
    let script = String(repeating: "anna check\n", count: 100_000)
    #expect(throws: ScriptFault.self) { try Script(parsing: script) }
  }
}
