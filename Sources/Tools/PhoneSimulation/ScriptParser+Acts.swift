import GuardClient
import ShiftDomain

extension Words {
  /// `code CODE [platform ios|android|web] [os VERSION] [model NAME] [cannot-report]`.
  mutating func enrolment() throws(ScriptFault) -> Act {
    guard take("code") else { throw fault("`code` and the enrolment code are missing") }
    let code = try next("enrolment code")
    var phone = PhoneDescription(platform: .ios)
    var canReport = true
    while !isEmpty {
      if take("platform") {
        phone.platform = try next("platform", of: Platform.self)
      } else if take("os") {
        phone.systemVersion = try next("system version")
      } else if take("model") {
        phone.model = try next("model")
      } else if take("cannot-report") {
        canReport = false
      } else {
        break
      }
    }
    return .enrol(code: code, phone, canReport: canReport)
  }

  /// A phone's action, from its verb on.
  mutating func act() throws(ScriptFault) -> Act {
    let verb = try next("action")
    switch verb {
    case "is": return .become(try permissionChange())
    case "report": return try report()
    case "check": return .check
    case "look": return .look
    case "clock-in": return .clockAction(.clockIn, withReport: take("with-report"))
    case "clock-out": return .clockAction(.clockOut)
    case "break-start": return .clockAction(.breakStart)
    case "break-end": return .clockAction(.breakEnd)
    case "take-over": return .clockAction(.takeOver)
    case "ping": return try ping()
    case "play": return .play(try play())
    case "silent": return .stayQuiet(try span("time of silence"))
    default:
      throw fault(
        "`\(verb)` is not an action: use is, report, check, look, clock-in, clock-out, "
          + "break-start, break-end, take-over, ping, play, silent, expect")
    }
  }

  /// `[PERMISSION] [trigger WORD]`.
  private mutating func report() throws(ScriptFault) -> Act {
    var trigger: String?
    if take("trigger") { trigger = try next("trigger") }
    let change = isEmpty ? nil : try permissionChange()
    if trigger == nil && take("trigger") { trigger = try next("trigger") }
    return .report(change, trigger: trigger)
  }

  /// `[stationary]` or `LATITUDE LONGITUDE [accuracy METERS] [stationary]`.
  private mutating func ping() throws(ScriptFault) -> Act {
    if isEmpty { return .ping(nil, accuracy: nil, stationary: false) }
    if take("stationary") { return .ping(nil, accuracy: nil, stationary: true) }
    let position = Position(
      latitude: try decimal("latitude", in: -90...90),
      longitude: try decimal("longitude", in: -180...180))
    let accuracy = take("accuracy") ? try decimal("accuracy", in: 0...1_000_000) : nil
    return .ping(position, accuracy: accuracy, stationary: take("stationary"))
  }

  /// `FILE [from TIME] [points N] live` or `FILE [from TIME] [points N] backlog [lead SPAN]`.
  private mutating func play() throws(ScriptFault) -> Play {
    var play = Play(file: try next("recording"), manner: .live)
    while !isEmpty {
      if take("from") {
        let word = try next("time")
        guard let from = Instant(rfc3339: word) else {
          throw fault("`\(word)` is not a valid time: write it as 2020-12-18T06:16:48Z")
        }
        play.from = from
      } else if take("points") {
        play.points = try number("count of points", in: 1...1_000_000)
      } else if take("live") {
        return play
      } else if take("backlog") {
        play.manner = .backlog(lead: take("lead") ? try span("lead") : .seconds(1))
        return play
      } else {
        break
      }
    }
    throw fault("`live` or `backlog` is missing")
  }
}
