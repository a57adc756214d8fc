import JSONText
import ShiftDomain

extension OwnTracks {
  /// How many regions an iPhone watches for one app.
  package static let regionsMax = 20

  /// The app's configuration, as a file and as a link with the same in it: HTTP, moving mode, and
  /// with commands allowed, which on iOS are off otherwise. One configuration serves both systems;
  /// each passes over what only the other knows.
  ///
  /// Since iOS 26.2.3 and Android 2.6.0 the app takes a link only if its user has allowed that.
  package static func setup(for account: PhoneAccount) -> PhoneSetup {
    let content = JSONValue.object(configuration(for: account)).bytes
    let isIOS = account.platform == .ios
    let menu = isIOS ? "Settings" : "Preferences"
    return PhoneSetup(
      link: "owntracks:///config?inline=\(encodedBase64(content).percentEncoded)",
      file: PhoneSetup.File(name: "shiftguard.otrc", content: content),
      before: "In OwnTracks, open \(menu), “Remote Control”, and switch on “Allow external "
        + "configuration”. Leave the app open.",
      fields: fields(for: account, isIOS: isIOS),
      after: (isIOS ? "Confirm the changes" : "Press “Apply”")
        + ", and switch “Allow external configuration” off again.")
  }

  private static func configuration(for account: PhoneAccount) -> JSONObject {
    let interval = account.intervalSeconds
    return [
      "_type": "configuration", "mode": .integer(3), "url": .string(account.address(of: app)),
      "auth": .bool(true), "username": .string(account.user), "password": .string(account.token),
      "deviceId": .string(account.deviceName), "tid": .string(account.trackerID),
      "cmd": .bool(true), "monitoring": .integer(2),
      // In moving mode iOS sends after the first, Android after the second.
      "locatorInterval": .integer(interval), "moveModeLocatorInterval": .integer(interval),
      "waypoints": account.regions.isEmpty
        ? nil : .array(account.regions.prefix(regionsMax).enumerated().map(waypoint)),
    ]
  }

  private static func fields(for account: PhoneAccount, isIOS: Bool) -> [PhoneSetup.Field] {
    let interval = String(account.intervalSeconds)
    let (address, monitoring) = (account.address(of: app), "Move")
    guard isIOS else {
      return [
        .init("Mode", "HTTP"), .init("URL", address), .init("Device ID", account.deviceName),
        .init("Tracker ID", account.trackerID), .init("Username", account.user),
        .init("Password", account.token), .init("Remote commands", "on"),
        .init("Location interval (Move mode)", interval), .init("Monitoring mode", monitoring),
      ]
    }
    return [
      .init("Mode", "HTTP"), .init("URL", address), .init("DeviceID", account.deviceName),
      .init("TrackerID", account.trackerID), .init("Authentication", "on"),
      .init("UserID", account.user), .init("Password", account.token),
      .init("Enable remote commands", "on"), .init("locatorInterval", interval),
      .init("Monitoring", monitoring),
    ]
  }

  /// A region by whose crossing the employee clocks in and out. Its time and name identify it in
  /// the app, so each has another time. Of two regions with the same name, an iPhone watches one.
  private static func waypoint(_ place: Int, _ region: PhoneRegion) -> JSONValue {
    [
      "_type": "waypoint", "desc": .string(regionName(of: region.name)),
      "lat": .number(region.center.latitude), "lon": .number(region.center.longitude),
      "rad": .integer(Int64(region.radiusMeters)), "tst": .integer(1_767_225_600 + Int64(place)),
    ]
  }

  /// iOS ends the name at a colon and takes the rest for a beacon; what follows a bar changes the
  /// mode there.
  private static func regionName(of site: String) -> String {
    "Shift " + String(site.map { $0 == ":" || $0 == "|" ? "-" : $0 })
  }

  /// The region of a site, as the app names it when the phone crosses its border.
  package static func shiftRegion(of site: String) -> Int64? {
    shiftRegion(named: regionName(of: site))
  }
}

// The app shows these; nothing depends on them.
extension PhoneAccount {
  fileprivate var user: String { String(device.employee.rawValue) }
  fileprivate var deviceName: String { String(device.number) }
  fileprivate var trackerID: String { String(("0" + user).suffix(2)) }
}
