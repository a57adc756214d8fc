import JSONText
import ShiftDomain

// Bodies are built by hand: for many thousand pings per second, an encoder would be too slow.

/// `POST /v1/pings` with these numbers of the phone's pings; sent at `now`.
func pingsBody(_ numbers: [Int], of record: PhoneRecord, now: Instant) -> [UInt8] {
  var text = #"{"sentAt":"\#(now.rfc3339)","pings":["#
  for (place, number) in numbers.enumerated() {
    if place > 0 { text += "," }
    text += #"{"recordedAt":"\#(record.recordedAt(number).rfc3339)","latitude":45."#
    text += digits(number &* 37) + #","longitude":13."# + digits(number &* 53)
    text += #","accuracy":8.5,"speed":1.4,"battery":80}"#
  }
  return Array((text + "]}").utf8)
}

/// `POST /v1/permission-reports`; sent at `now`.
func reportBody(_ sequence: Int64, isDowngrade: Bool, now: Instant) -> [UInt8] {
  Array(#"{"sentAt":"\#(now.rfc3339)",\#(report(sequence, isDowngrade: isDowngrade))}"#.utf8)
}

/// `POST /v1/clock-in` with a report; sent at `now`.
func clockInBody(actionID: String, sequence: Int64, now: Instant) -> [UInt8] {
  let report = report(sequence, isDowngrade: false)
  return Array(
    #"{"actionId":"\#(actionID)","sentAt":"\#(now.rfc3339)","report":{\#(report)}}"#.utf8)
}

private func report(_ sequence: Int64, isDowngrade: Bool) -> String {
  let authorization = isDowngrade ? "denied" : "always"
  return #""sequence":\#(sequence),"authorization":"\#(authorization)","#
    + #""accuracy":"full","services":"on""#
}

/// Seven digits of a fraction of a degree.
private func digits(_ number: Int) -> String {
  String(10_000_000 + number % 10_000_000).dropFirst().description
}

/// The fate of each ping of an upload, by the server's response; `nil` if that does not match
/// `openapi.yaml`.
func fates(in body: [UInt8], count: Int) -> [Fate]? {
  guard case .object(let object)? = try? JSONValue(parsing: body),
    case .array(let results)? = object["results"], results.count == count
  else { return nil }
  var fates: [Fate] = []
  for result in results {
    guard case .object(let item) = result, case .string(let status)? = item["status"] else {
      return nil
    }
    fates.append(status == "refused" ? .refused : .acknowledged)
  }
  return fates
}
