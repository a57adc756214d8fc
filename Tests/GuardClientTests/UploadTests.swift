import GuardRules
import JSONText
import ShiftDomain
import Testing

@testable import GuardClient

@Suite("What is uploaded") struct UploadTests {
  private static let time = Instant(milliseconds: 1_780_000_000_123)

  static let pings: [(RecordedPing, String)] = [
    (RecordedPing(recordedAt: time), #"{"recordedAt":"2026-05-28T20:26:40.123Z"}"#),
    (
      RecordedPing(recordedAt: time, isStationary: true, batteryPercent: 0),
      #"{"recordedAt":"2026-05-28T20:26:40.123Z","battery":0,"stationary":true}"#
    ),
    (
      RecordedPing(recordedAt: time, rest: .asLongAsAllowed),
      #"{"recordedAt":"2026-05-28T20:26:40.123Z","rest":{}}"#
    ),
    (
      RecordedPing(recordedAt: time, rest: .until(time + .seconds(60))),
      #"{"recordedAt":"2026-05-28T20:26:40.123Z","rest":{"until":"2026-05-28T20:27:40.123Z"}}"#
    ),
    (
      RecordedPing(
        recordedAt: time,
        fix: Coordinate(latitude: -45.5, longitude: 0).map { Fix(coordinate: $0) },
        isMock: true),
      #"{"recordedAt":"2026-05-28T20:26:40.123Z","latitude":-45.5,"longitude":0.0,"mock":true}"#
    ),
  ]

  @Test(arguments: pings) func `a ping is written as the API has it, and survives the disk`(
    _ ping: RecordedPing, _ text: String
  ) {
    #expect(String(decoding: ping.json, as: UTF8.self) == text)
    #expect(QueuedItem(QueuedItem.ping(ping).bytes) == .ping(ping))
  }

  @Test func `any ping survives the disk exactly`() {
    var random = SeededNumbers(1)
    for _ in 0..<500 {
      func maybe(_ value: Double, _ random: inout SeededNumbers) -> Double? {
        random.below(2) == 0 ? value : nil
      }
      let coordinate = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let fix = coordinate.map {
        Fix(
          coordinate: $0, accuracyMeters: maybe(.random(in: 0.1...500, using: &random), &random),
          speedMetersPerSecond: maybe(.random(in: 0...40, using: &random), &random),
          headingDegrees: maybe(.random(in: 0..<360, using: &random), &random),
          altitudeMeters: maybe(.random(in: -400...9_000, using: &random), &random))
      }
      let rests: [RecordedPing.Rest?] = [nil, .asLongAsAllowed, .until(Self.time)]
      let ping = RecordedPing(
        recordedAt: Instant(milliseconds: Int64(bitPattern: random.next())),
        fix: random.below(3) == 0 ? nil : fix, isStationary: random.below(2) == 0,
        isMock: random.below(2) == 0, rest: rests[random.below(3)],
        batteryPercent: random.below(2) == 0 ? random.below(101) : nil)
      let bytes = QueuedItem.ping(ping).bytes
      #expect(QueuedItem(bytes) == .ping(ping))
      for cut in 0..<bytes.count where cut < 11 { #expect(QueuedItem(Array(bytes[..<cut])) == nil) }
    }
  }

  @Test func `a record of a later version is not read`() {
    #expect(QueuedItem([]) == nil)
    #expect(QueuedItem([200, 1, 2]) == nil)
    #expect(QueuedItem([3, 99]) == nil)
  }

  private let builder = ReportBuilder(
    phone: PhoneDescription(
      platform: .ios, systemVersion: "17.5", model: "iPhone 13", app: "A 1", appName: "Field Work"),
    installation: "i-1")

  @Test func `a report carries Apple's own values`() throws {
    let permission = PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given(3), accuracyAuthorization: .given(0),
          locationServicesEnabled: .unreadable)),
      conditions: DeviceConditions(notifications: .off, powerSave: .on),
      lastExit: AppExit(.userRequested, at: Self.time))
    #expect(permission.state(on: .ios).authorization == .always)
    #expect(permission.state(on: .ios).conditions.notifications == .off)
    let object = builder.report(permission, sequence: 7, trigger: .launch, at: Self.time)
    let text = String(decoding: JSONValue.object(object).bytes, as: UTF8.self)
    #expect(
      text
        == #"{"recordedAt":"2026-05-28T20:26:40.123Z","sequence":7,"trigger":"launch","#
        + #""lastExit":{"cause":"user_requested","at":"2026-05-28T20:26:40.123Z"},"#
        + #""osVersion":"17.5","model":"iPhone 13","app":"A 1","appName":"Field Work","#
        + #""conditions":{"notifications":"off","powerSave":"on"},"source":"core_location","#
        + #""raw":{"authorizationStatus":3,"accuracyAuthorization":0,"#
        + #""locationServicesEnabled":"unreadable"}}"#)
  }

  static let names: [(String, String?)] = [
    (" Field\n Work\u{200B}\u{0} ", "Field  Work"), (" \n", nil), ("", nil),
    (String(repeating: "n\u{301}", count: 20), String(repeating: "n\u{301}", count: 15)),
    (String(repeating: "n", count: 29) + " name", String(repeating: "n", count: 29)),
  ]

  // A longer or broken name would cost the whole report.
  @Test(arguments: names) func `a name that the server would refuse is cut`(
    _ name: String, _ sent: String?
  ) {
    let phone = PhoneDescription(platform: .ios, appName: name)
    let object = ReportBuilder(phone: phone, installation: "i-1").report(
      PlatformPermission(raw: .webPermissions(.given(.denied))), sequence: 0, trigger: .launch,
      at: Self.time)
    #expect(object["appName"] == sent.map { .string($0) })
    #expect(object["app"] == nil && object["osVersion"] == nil)
  }

  @Test func `a report of another library carries our codes`() throws {
    let permission = PlatformPermission(raw: .webPermissions(.given(.denied)))
    let object = builder.report(permission, sequence: 0, trigger: .change, at: Self.time)
    #expect(object["source"] == nil && object["authorization"] == "denied")
  }

  @Test func `a report alone has the time of the attempt, and nothing that is unknown`() throws {
    let state = PermissionState(
      authorization: .denied, services: .on, conditions: DeviceConditions(powerSave: .off))
    let request = StampedRequest.report(ReportBuilder().report(state, sequence: 3))
      .attempt(at: Self.time, token: "t")
    #expect(request.method == "POST" && request.path == "/v1/permission-reports")
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"sentAt":"2026-05-28T20:26:40.123Z","sequence":3,"#
        + #""conditions":{"powerSave":"off"},"authorization":"denied","services":"on"}"#)
  }

  @Test func `a report carries Android's own flags`() throws {
    let flags = AndroidFlags(
      apiLevel: .given(34), fine: .given(true), coarse: .given(true), background: .given(false))
    let object = builder.report(
      PlatformPermission(raw: .android(flags)), sequence: 1, trigger: .foreground, at: Self.time)
    #expect(object["source"] == "android")
    #expect(
      object["raw"] == ["apiLevel": 34, "fine": true, "coarse": true, "background": false])
  }

  @Test func `a clock action's body is the same at every attempt, but for the time`() throws {
    let action = builder.clockAction(
      .clockIn, id: "a-1", at: Self.time, report: ["sequence": 1], fix: .full(0),
      overrideReason: "Site \"B\"")
    let record = DiskQueue.Record(number: 1, content: QueuedItem.clockAction(action).bytes)
    #expect(QueuedItem(record.content) == .clockAction(action))
    guard case .upload(let upload) = Upload.head(of: [record], limit: 100) else {
      Issue.record("no upload")
      return
    }
    let now = Self.time + .seconds(90)
    let request = upload.request(installation: "i-1", sentAt: now, token: "t", language: nil)
    #expect(request.path == "/v1/clock-in")
    let fields = try JSONFields(JSONValue(parsing: try #require(request.body)))
    #expect(try fields.instant("sentAt") == now)
    #expect(try fields.instant("occurredAt") == Self.time)
    #expect(try fields.text("actionId", max: 64) == "a-1")
    #expect(try fields.text("installation", max: 64) == "i-1")
    #expect(try fields.text("overrideReason", max: 500) == "Site \"B\"")
    #expect(try fields.object("fix")?.number("accuracy") == 8.5)
  }

  @Test func `neighbours of one kind go together, up to the limit`() throws {
    let ping = QueuedItem.ping(RecordedPing(recordedAt: Self.time)).bytes
    let report = QueuedItem.report(Array("{}".utf8)).bytes
    let action = QueuedItem.clockAction(builder.clockAction(.breakStart, id: "b", at: Self.time))
    func sizes(_ contents: [[UInt8]], limit: Int = 100) -> [Int] {
      var records = contents.enumerated().map {
        DiskQueue.Record(number: UInt64($0.offset + 1), content: $0.element)
      }
      var sizes: [Int] = []
      while case .upload(let upload) = Upload.head(of: records, limit: limit) {
        sizes.append(upload.count)
        records.removeFirst(upload.count)
      }
      return sizes
    }
    #expect(
      sizes([ping, ping, action.bytes, action.bytes, report, report, ping]) == [2, 1, 1, 2, 1])
    #expect(sizes(Array(repeating: ping, count: 250)) == [100, 100, 50])
    #expect(sizes(Array(repeating: ping, count: 5), limit: 2) == [2, 2, 1])
    #expect(sizes(Array(repeating: report, count: 60)) == [50, 10])
    let long = QueuedItem.report(Array(repeating: 32, count: 25_000)).bytes
    #expect(sizes([long, long, long]) == [2, 1])
  }
}

extension JSONValue: ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
