import JSONText
import ShiftDomain
import Testing

@testable import PhoneProtocols

/// What the apps' own programs read of a set-up, as far as it can be told from their source.
@Suite("Set-up of phone apps")
struct SetupTests {
  private static func account(
    _ platform: Platform = .ios, interval: TimeSpan = .minutes(1), regions: [PhoneRegion] = []
  ) -> PhoneAccount {
    PhoneAccount(
      origin: "https://guard.example", device: DeviceID(employee: EmployeeID(7), number: 1),
      platform: platform, token: "sg_7_1_a+b", interval: interval, regions: regions)
  }

  private static func regions(_ names: [String]) throws -> [PhoneRegion] {
    let center = try #require(Coordinate(latitude: 52.5, longitude: 13.25))
    return names.map { PhoneRegion(name: $0, center: center, radiusMeters: 150) }
  }

  // R: M1
  @Test("OwnTracks opens one configuration on both systems, with the interval of each")
  func ownTracks() throws {
    let configuration =
      #"{"_type":"configuration","mode":3,"url":"https://guard.example/v1/apps/owntracks","#
      + #""auth":true,"username":"7","password":"sg_7_1_a+b","deviceId":"1","tid":"07","cmd":true,"#
      + #""monitoring":2,"locatorInterval":90,"moveModeLocatorInterval":90}"#
    for platform in [Platform.ios, .android] {
      let setup = OwnTracks.setup(for: Self.account(platform, interval: .seconds(90)))
      #expect(setup.file?.name == "shiftguard.otrc")
      #expect(setup.file?.content.text == configuration)
      let link = try #require(setup.link)
      let head = "owntracks:///config?inline="
      #expect(link.hasPrefix(head))
      // What Base64 has besides letters and digits would end a value, or become a space.
      let value = link.dropFirst(head.count)
      #expect(!value.contains { "+/=&".contains($0) })
      let pairs = formPairs(Array("inline=\(value)".utf8))
      #expect(pairs.map { decodedBase64($0.value) } == [configuration])
    }
  }

  // R: M1
  @Test("OwnTracks is typed in under the names of each system")
  func ownTracksByHand() {
    func names(_ platform: Platform) -> [String] {
      let fields = OwnTracks.setup(for: Self.account(platform)).fields
      #expect(fields.map(\.value).contains("sg_7_1_a+b"))
      return fields.map(\.name)
    }
    #expect(
      names(.ios) == [
        "Mode", "URL", "DeviceID", "TrackerID", "Authentication", "UserID", "Password",
        "Enable remote commands", "locatorInterval", "Monitoring",
      ])
    #expect(
      names(.android) == [
        "Mode", "URL", "Device ID", "Tracker ID", "Username", "Password", "Remote commands",
        "Location interval (Move mode)", "Monitoring mode",
      ])
  }

  // R: M1
  @Test("OwnTracks is set up with regions of shifts, as many as a phone watches")
  func regions() throws {
    func content(_ names: [String]) throws -> String {
      let account = Self.account(regions: try Self.regions(names))
      return try #require(OwnTracks.setup(for: account).file).content.text
    }
    let two = try content(["Depot 0", "Depot 1"])
    #expect(
      two.hasSuffix(
        #""waypoints":[{"_type":"waypoint","desc":"Shift Depot 0","lat":52.5,"lon":13.25,"#
          + #""rad":150,"tst":1767225600},{"_type":"waypoint","desc":"Shift Depot 1","#
          + #""lat":52.5,"lon":13.25,"rad":150,"tst":1767225601}]}"#), "\(two)")
    let full = try content((0..<30).map { "Depot \($0)" })
    #expect(full.split(separator: "Shift Depot").count == 21)
    #expect(try !content([]).contains("waypoints"))
  }

  // R: M1
  @Test("no region's name has a sign by which an iPhone would cut it", arguments: [":", "|"])
  func names(_ sign: String) throws {
    let account = Self.account(regions: try Self.regions(["Yard\(sign)2", "Yard\(sign)3"]))
    let content = try #require(OwnTracks.setup(for: account).file).content
    guard case .object(let object) = try JSONValue(parsing: content),
      case .array(let waypoints)? = object["waypoints"]
    else {
      Issue.record("no waypoints")
      return
    }
    let names = waypoints.compactMap { waypoint -> String? in
      guard case .object(let waypoint) = waypoint, case .string(let name)? = waypoint["desc"]
      else { return nil }
      return name
    }
    #expect(names == ["Shift Yard-2", "Shift Yard-3"])
  }

  // R: M1
  @Test("Overland gets the token alone, to which it adds the word itself")
  func overland() {
    let setup = Overland.setup(for: Self.account(interval: .seconds(90)))
    #expect(
      setup.link == "overland://setup?url=https%3A%2F%2Fguard.example%2Fv1%2Fapps%2Foverland"
        + "&token=sg_7_1_a%2Bb&device_id=7-1")
    #expect(setup.fields.map(\.name) == ["Receiver Endpoint URL", "Device ID", "Access Token"])
    #expect(
      setup.fields.map(\.value) == ["https://guard.example/v1/apps/overland", "7-1", "sg_7_1_a+b"])
    #expect(setup.after?.hasSuffix("set “Send Interval” to 1m.") == true)
  }

  // R: M1
  @Test("Traccar Client sends by time, also while it rests, at most every minute then")
  func traccar() {
    let rows: [(seconds: Int64, heartbeat: Int64)] = [(30, 60), (60, 60), (300, 300)]
    for (seconds, heartbeat) in rows {
      let setup = TraccarClient.setup(for: Self.account(interval: .seconds(seconds)))
      #expect(
        setup.link == "org.traccar.client://config?url=https%3A%2F%2Fguard.example%2Fv1%2Fapps"
          + "%2Ftraccar&id=sg_7_1_a%2Bb&accuracy=high&distance=0&interval=\(seconds)"
          + "&heartbeat=\(heartbeat)")
      #expect(
        setup.fields.map(\.value) == [
          "sg_7_1_a+b", "https://guard.example/v1/apps/traccar", "High", "0", "\(seconds)",
          "\(heartbeat)",
        ])
    }
  }

  // R: M1
  @Test("the makers of an app on Transistorsoft's SDK get its settings")
  func transistorsoft() {
    let setup = Transistorsoft.setup(for: Self.account())
    #expect(setup.link == nil && setup.file == nil)
    #expect(setup.fields.map(\.name) == ["url", "headers.Authorization"])
    #expect(
      setup.fields.map(\.value) == [
        "https://guard.example/v1/apps/transistorsoft", "Bearer sg_7_1_a+b",
      ])
  }
}
