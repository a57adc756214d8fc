import HTTPSending
import ShiftDomain
import Testing

@testable import NotificationSending

@Suite("Retries") struct RetryTests {
  static let curves: [(name: String, curve: RetryCurve, seconds: [Int64], shortest: Double)] = [
    ("APNs", APNsChannel.retryCurve, [1, 2, 4, 8, 16, 32, 60, 60], 0),
    (
      "FCM", FCMChannel.retryCurve, [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600], 0.5
    ),
    (
      "Web Push", WebPushChannel.retryCurve, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600], 0.5
    ),
    (
      "webhook", WebhookChannel.retryCurve,
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400], 0.8
    ),
    ("mail", MailChannel.retryCurve, [300, 600, 1_200, 2_400, 3_600, 3_600], 0.8),
  ]

  @Test(arguments: curves) func `delays grow to their maximum, less a random part`(
    _ row: (name: String, curve: RetryCurve, seconds: [Int64], shortest: Double)
  ) {
    for (index, seconds) in row.seconds.enumerated() {
      let whole = Duration.seconds(seconds)
      let delay = { row.curve.delay(attempt: index + 1, retryAfter: nil, random: $0) }
      #expect(delay(0) == whole)
      #expect(delay(0.999_999) >= whole * row.shortest)
      #expect(delay(0.999_999) < whole * (row.shortest + 0.01))
    }
  }

  @Test(arguments: curves) func `no attempt number or requested delay exceeds the bounds`(
    _ row: (name: String, curve: RetryCurve, seconds: [Int64], shortest: Double)
  ) {
    for attempt in [Int.min, -1, 0, 1, 1_000, Int.max] {
      for after in [nil, Duration.seconds(-5), .zero, .seconds(90), .seconds(Int64.max / 2)] {
        for random in [0, 0.5, 0.999_999] {
          let delay = row.curve.delay(attempt: attempt, retryAfter: after, random: random)
          #expect(delay >= .zero)
          #expect(delay <= row.curve.delayMax)
        }
      }
    }
  }

  @Test func `a retry waits at least as long as requested, plus a random part`() {
    let delays = [0, 0.5, 0.999].map {
      FCMChannel.retryCurve.delay(attempt: 1, retryAfter: .seconds(60), random: $0)
    }
    #expect(delays[0] == .seconds(60))
    #expect(delays[1] > .seconds(65) && delays[1] < .seconds(67))
    #expect(delays[2] > .seconds(71))
  }

  @Test func `webhooks wait at least our own delay, e-mail only as requested`() {
    let delay = WebhookChannel.retryCurve.delay(attempt: 3, retryAfter: .seconds(1), random: 0)
    #expect(delay == .seconds(1_800))
    #expect(
      MailChannel.retryCurve.delay(attempt: 3, retryAfter: .seconds(1), random: 0) == .seconds(1))
  }

  @Test func `a webhook is tried ten times over three days`() {
    #expect(WebhookChannel.retryCurve.attemptsMax == 10)
    let total = WebhookChannel.retryCurve.delays.reduce(.zero, +)
    #expect(total > .seconds(75 * 3_600) && total < .seconds(76 * 3_600))
  }

  static let now = Instant(rfc3339: "1994-11-06T08:49:30Z")
  static let waits: [(header: String, date: String?, seconds: Int64?)] = [
    ("120", nil, 120), ("0", nil, 0), ("86401", nil, 86_400), ("00007", nil, 7),
    ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 7),
    // A two-digit year belongs to this century, so this is a hundred years ahead.
    ("Sunday, 06-Nov-94 08:49:37 GMT", nil, 86_400),
    ("Sun Nov  6 08:49:37 1994", nil, 7), ("Sun, 06 Nov 1994 08:49:37 GMT", "rubbish", 7),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:49:20 GMT", nil, 0), ("Sun, 06 Nov 2094 08:49:20 GMT", nil, 86_400),
    ("-1", nil, nil), ("1.5", nil, nil), ("", nil, nil), ("soon", nil, nil), ("１", nil, nil),
    ("Sun, 31 Feb 1994 08:49:37 GMT", nil, nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil, nil),
    ("Sun, 06 Nov 1994 08:49:37 CET", nil, nil), ("Sun, 06 Növ 1994 08:49:37 GMT", nil, nil),
  ]

  @Test(arguments: waits) func `the requested delay is read from Retry-After`(
    _ row: (header: String, date: String?, seconds: Int64?)
  ) throws {
    var headers = [(name: "retry-after", value: row.header)]
    if let date = row.date { headers.append(("Date", date)) }
    let response = IncomingResponse(status: 503, headers: headers)
    let wait = response.retryAfter(now: try #require(Self.now))
    #expect(wait == row.seconds.map { .seconds($0) })
  }
}
