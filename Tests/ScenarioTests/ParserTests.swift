import Foundation
import JSONText
import ShiftDomain
import Testing

@Suite("Scenario files") struct ParserTests {
  @Test(arguments: ScenarioFiles.all) func reads(_ file: ScenarioFile) throws {
    #expect(try !ScenarioParser.parse(file.text, file: file.name).isEmpty)
  }

  @Test("Titles are unique, so that a list of known differences can name them")
  func titles() throws {
    var seen: Set<String> = []
    for scenario in try ScenarioFiles.scenarios() {
      #expect(seen.insert(scenario.title).inserted, "\(scenario.file):\(scenario.line)")
    }
  }

  /// Each kind of line once.
  private static let everything = """
    # A comment.
    scenario all of it
    requirements W16, W8
    policy strict {"pingInterval":60}
    employee en email
    contact de
    device A android fr open push
    device B ios en clock -600
    day 2026-03-03

    08:00:00 A report {"authorization":"always"} -> 201 {"a -> b":1}
    08:00:00.500 A fixes every 60 until 08:10:00
    08:12:00 A pings [{"stationary":true},{}] -> stored, refused invalid /pings/1
    08:13:00 outage until +1 08:22:00
    08:14:00 coverage 1: 08:00:00 tracked*; 08:10:30 no_contact?denied; \
    08:11:00 denied~ | 08:14:00
    08:14:00 incidents 2: denied 08:10:30-08:20:00 restored [at_clock_in]; no_fix 08:25:00-open
    08:14:00 told push A incident/denied fr
    """

  @Test func readsEverything() throws {
    let scenario = try #require(try ScenarioParser.parse(Self.everything, file: "a.txt").first)
    #expect(scenario.title == "all of it")
    #expect(scenario.requirements == ["W16", "W8"])
    #expect(scenario.preset == "strict")
    #expect(scenario.hasEmail && scenario.contactLanguage == "de")
    #expect(scenario.devices.map(\.letter) == ["A", "B"])
    #expect(scenario.devices[0].isOpen && scenario.devices[0].hasPush)
    #expect(scenario.devices[1].skew == .seconds(-600))
    #expect(scenario.lines.count == 7)
    guard case .request(.device("A"), let request, let answer) = scenario.lines[0].action else {
      Issue.record("no request")
      return
    }
    #expect(request.path == "/v1/permission-reports" && request.isDated)
    #expect(answer == AnswerWords(status: 201, subset: ["a -> b": .integer(1)]))
    guard case .expect(.coverage(1, let segments, let end)) = scenario.lines[4].action else {
      Issue.record("no coverage")
      return
    }
    #expect(
      segments.map(\.text) == [
        "08:00:00 tracked*", "08:10:30 no_contact?denied", "08:11:00 denied~",
      ])
    #expect(timeWords(end) == "08:14:00")
    guard case .expect(.incidents(2, let incidents)) = scenario.lines[5].action else {
      Issue.record("no incidents")
      return
    }
    #expect(
      incidents.map(\.text) == [
        "denied 08:10:30-08:20:00 restored [at_clock_in]", "no_fix 08:25:00-open",
      ])
  }

  /// Lines of a working day's part.
  private static let part = """
    part all of a day
    device A ios
    00:00:00 A clock-in when_in_use
             = waiting_first_fix; open when_in_use 00:00:00; finds warn when_in_use
    00:00:20 A fixes every 60 until 00:09:20
             = at_risk
    00:20:00 A uploads every 60 from 00:10:20 until 00:11:20
             = from 00:12:20 no_contact?denied, 00:16:00 denied
    00:21:00 A clock-out
             = off_shift
             = story opened, tracked*, denied (denied), ended
    """

  @Test("A part says what is true from a time on")
  func readsTruths() throws {
    let part = try #require(try ScenarioParser.parse(Self.part, file: "a.txt").first)
    var truth = Truth()
    for line in part.lines {
      if case .expect(.holds(let statements)) = line.action {
        for statement in statements { truth.take(statement) }
      }
    }
    #expect(truth.tracking == "off_shift" && truth.incidents.isEmpty)
    #expect(truth.finds == "warn when_in_use")
    #expect(
      truth.coverage
        == "00:00:00 waiting_first_fix; 00:00:20 tracked*; 00:12:20 no_contact?denied; "
        + "00:16:00 denied")
    guard case .request(_, let clockIn, _) = part.lines[0].action,
      case .pings(_, let late, true, _) = part.lines[4].action
    else {
      Issue.record("no clock-in, or no upload")
      return
    }
    #expect(clockIn.body?["actionId"]?.text == "line 3")
    #expect(clockIn.body?["report"]?["authorization"]?.text == "when_in_use")
    #expect(late.map { $0["recordedAt"]?.text } == ["@00:10:20", "@00:11:20"])
  }

  @Test(
    "The error of an unreadable line names the line and the reason",
    arguments: [
      ("08:00 A touch", "HH:MM:SS"), ("08:00:00 C touch", "no device C"),
      ("08:00:00 A jump", "no verb"), ("08:00:00 A report {", "no JSON"),
      ("08:00:00 A report {} -> fine", "no status"),
      ("08:00:00 coverage 1: 08:00:00 tracked", "END"),
      ("08:00:00 coverage 1: 08:00:00 trakced | 08:01:00", "no reason"),
      ("08:00:00 A report denide", "nothing of a report"), ("= trackd", "no reason of coverage"),
      ("08:00:00 told fax A incident en", "no channel"), ("07:59:59 A touch", "before the line"),
      ("device B ios", "set-up lines come first"), ("08:00:00 tracking not_tracked", "a reason"),
    ])
  func refuses(_ line: String, _ reason: String) {
    let text = "scenario a\ndevice A ios\n08:00:00 A touch\n\(line)\n"
    do {
      _ = try ScenarioParser.parse(text, file: "a.txt")
      Issue.record("it was read")
    } catch {
      #expect("\(error)".hasPrefix("a.txt:4: ") && "\(error)".contains(reason), "\(error)")
    }
  }

  @Test(arguments: [
    ("00:00:00", Int64(0)), ("+1 08:00:00.050", 115_200_050), ("-1 23:59:59", -1_000),
  ])
  func writesTimes(_ words: String, _ milliseconds: Int64) throws {
    #expect(timeWords(.milliseconds(milliseconds)) == words)
    var scanner = LineScanner(words[...], file: "a.txt", line: 1)
    #expect(try scanner.time() == .milliseconds(milliseconds))
  }
}
