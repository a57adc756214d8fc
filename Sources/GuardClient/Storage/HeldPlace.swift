import GuardRules
import JSONText
import ShiftDomain
import SystemCalls

/// By what a clock-in is judged without the network, besides the permission: the team's sites and
/// the employee's plan, as the server sent them last. A file of its own: there may be many sites,
/// and they change rarely.
struct HeldPlace: Hashable, Sendable {
  /// The version of the sites that the server named last; `nil`: the policy judges no place.
  var wantedVersion: String?
  /// The version of `sites`.
  var sitesVersion: String?
  var sites: [Site] = []
  /// `nil`: the policy judges neither plan nor place.
  var plan: ClockInPlan?

  /// As many as a team may have.
  private static let sitesMax = 100
  private static let bytesMax = 262_144

  init() {}

  /// Reads the file; as before the first answer if it is missing or damaged.
  init(reading path: String) {
    guard let file = try? File(path),
      let bytes = try? file.read(at: 0, count: min(file.size(), Self.bytesMax)),
      let fields = JSONFields(ofBody: bytes)
    else { return }
    wantedVersion = try? fields.text("sitesVersion", max: 64)
    plan = (try? fields.object("plan")).flatMap { try? ClockInPlan(held: $0) }
    if let held = try? fields.object("held") { try? take(held) }
  }

  /// Replaces the file in one step.
  func write(to path: String) throws(FileError) {
    let object: JSONObject = [
      "sitesVersion": wantedVersion.map { .string($0) }, "plan": plan?.heldJSON,
      "held": sitesVersion.map { version in
        ["version": .string(version), "sites": JSONValue(sites) { $0.json }]
      },
    ]
    try File.replace(path, with: JSONValue.object(object).bytes)
  }

  /// What an answer says; the sites are read by another request.
  mutating func take(_ status: GuardStatus) {
    (wantedVersion, plan) = (status.sitesVersion, status.plan)
    if wantedVersion == nil { (sitesVersion, sites) = (nil, []) }
  }

  /// `HeldSites` of the API.
  mutating func take(_ fields: JSONFields) throws(BodyFault) {
    let version = try fields.required("version", fields.text("version", min: 1, max: 64))
    let sites = try fields.objects("sites").prefix(Self.sitesMax).map {
      (site) throws(BodyFault) in try Site(site)
    }
    (sitesVersion, self.sites) = (version, sites)
  }

  /// Whether the sites that the server named are still to be read.
  var needsSites: Bool { wantedVersion != nil && sitesVersion != wantedVersion }
  var judgesPlace: Bool { wantedVersion != nil }
}

extension Site {
  /// `Site` of the API.
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    let latitude = try fields.required("latitude", fields.number("latitude"))
    let longitude = try fields.required("longitude", fields.number("longitude"))
    guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
      throw BodyFault(at: fields.place("latitude"), "must be on earth")
    }
    let number = try fields.required("site", fields.integer("site", in: 1...Int64(Int16.max)))
    let radius = try fields.required("radius", fields.integer("radius", in: 1...Int64(Int32.max)))
    self.init(
      number: Int16(number), name: try fields.shown("name"), center: center,
      radiusMeters: Int32(radius))
  }

  fileprivate var json: JSONObject {
    [
      "site": JSONValue(number), "name": .string(name), "latitude": .number(center.latitude),
      "longitude": .number(center.longitude), "radius": JSONValue(radiusMeters),
    ]
  }
}

extension ClockInPlan {
  /// `HeldPlan` of the API.
  init(held fields: JSONFields) throws(BodyFault) {
    self.init(
      try fields.objects("shifts").map { (shift) throws(BodyFault) in
        PlannedSpan(try Interval(held: shift), sites: try shift.siteNumbers())
      },
      absences: try fields.objects("absences").map { (absence) throws(BodyFault) in
        try Interval(held: absence)
      },
      knownUntil: try fields.required("until", fields.instant("until")))
  }

  var heldJSON: JSONValue {
    [
      "shifts": JSONValue(planned) {
        $0.span.heldJSON.adding(["sites": .array($0.sites.map { JSONValue($0) })])
      },
      "absences": JSONValue(absences) { $0.heldJSON },
      "until": knownUntil.map { JSONValue($0) } ?? .null,
    ]
  }
}

extension Interval {
  fileprivate init(held fields: JSONFields) throws(BodyFault) {
    self.init(
      from: try fields.required("start", fields.instant("start")),
      to: try fields.required("end", fields.instant("end")))
  }

  fileprivate var heldJSON: JSONObject { ["start": JSONValue(start), "end": JSONValue(end)] }
}

extension JSONFields {
  /// The sites that a planned shift names; numbers that no site can have are left out.
  fileprivate func siteNumbers() throws(BodyFault) -> [Int16] {
    (try elements("sites") ?? []).compactMap { $0.wholeNumber.flatMap(Int16.init(exactly:)) }
  }
}
