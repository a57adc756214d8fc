import DeviceOperations
import HTTPAPI
import HTTPServing
import JSONText
import ReadModels
import ShiftDomain

struct TooManyItems: RequestFault {
  let max: Int

  var problem: Problem {
    Problem(
      status: 413, code: "too_many_items", detail: "an upload may have at most \(max) items")
  }
}

/// The body of `POST /v1/pings`, read item by item: a bad item is refused and stops no other.
struct PingUpload: Sendable {
  static let itemsMax = 1_000

  let sentAt: Instant?
  let installation: String?
  /// Those that could be read, in the order of the items.
  private(set) var pings: [IncomingPing] = []
  /// Why others could not be read, by the index of the item.
  private(set) var faults: [Int: BodyFault] = [:]

  /// Reads one ping, or `pings` with 1…1,000 of them.
  init(_ body: JSONValue) throws {
    let fields = try JSONFields(body)
    sentAt = try fields.instant("sentAt")
    installation = try fields.installation()
    guard let elements = try fields.elements("pings") else {
      read(body, index: 0, at: "")
      return
    }
    guard !elements.isEmpty else {
      throw BodyFault(at: fields.place("pings"), "must have at least one item")
    }
    guard elements.count <= Self.itemsMax else { throw TooManyItems(max: Self.itemsMax) }
    pings.reserveCapacity(elements.count)
    let place = fields.place("pings") + "/"
    for (index, element) in elements.enumerated() {
      read(element, index: index, at: place + String(index))
    }
  }

  private mutating func read(_ item: JSONValue, index: Int, at pointer: String) {
    do throws(BodyFault) {
      pings.append(try IncomingPing(JSONFields(item, at: pointer)))
    } catch {
      faults[index] = error
    }
  }

  /// In the order of the items.
  /// - Parameter stored: One for each of `pings`.
  func results(stored: [PingResult]) -> [PingResult] {
    var results = stored
    for index in faults.keys.sorted() {
      results.insert(.refused(.invalid), at: min(index, results.count))
    }
    return results
  }
}

extension IncomingPing {
  init(_ fields: JSONFields) throws(BodyFault) {
    let battery = try fields.quality("battery")
    let speed = try fields.quality("speed")
    let rest = try fields.object("rest").map { (rest) throws(BodyFault) in
      Rest(until: try rest.instant("until"))
    }
    self.init(
      recordedAt: try fields.required("recordedAt", fields.instant("recordedAt")),
      fix: try Fix(fields, at: speed), speed: speed,
      isStationary: try fields.flag("stationary"), isMock: try fields.flag("mock"),
      isHidden: try fields.flag("hidden"), rest: rest, battery: battery)
  }

  /// A ping with these values as sent.
  /// - Parameters:
  ///   - speed: In meters per second; above `Fix.restingSpeedMax` it is not at rest.
  ///   - battery: In percent.
  init(
    recordedAt: Instant, fix: Fix?, speed: Double?, isStationary: Bool?, isMock: Bool?,
    isHidden: Bool?, rest: Rest? = nil, battery: Double?
  ) {
    let isMoving = speed.map { $0 > Fix.restingSpeedMax } ?? false
    self.init(
      recordedAt: recordedAt, fix: fix, isStationary: isStationary ?? false && !isMoving,
      isMock: isMock ?? false, isHidden: isHidden ?? false, rest: isMoving ? nil : rest,
      batteryPercent: battery.flatMap { (0.0...100).contains($0) ? Int($0.rounded()) : nil })
  }
}

extension Fix {
  /// The position; `nil` for a sign of life, which has neither coordinate or an unknown position.
  fileprivate init?(_ fields: JSONFields, at speed: Double?) throws(BodyFault) {
    let latitude = try fields.number("latitude")
    let longitude = try fields.number("longitude")
    if latitude == nil && longitude == nil { return nil }
    let coordinate = try Coordinate(
      latitude: fields.required("latitude", latitude),
      longitude: fields.required("longitude", longitude), in: fields)
    self.init(
      measuredAt: coordinate, accuracyMeters: try fields.quality("accuracy"),
      speedMetersPerSecond: speed, headingDegrees: try fields.quality("heading"),
      altitudeMeters: try fields.quality("altitude"))
  }
}

extension JSONFields {
  /// An optional number; one that is too large is infinite, and so out of range.
  fileprivate func quality(_ name: String) throws(BodyFault) -> Double? {
    switch self[name] {
    case nil: nil
    case .number(let number): number
    default: try number(name)
    }
  }
}

extension Coordinate {
  fileprivate init(
    latitude: Double, longitude: Double, in fields: JSONFields
  ) throws(BodyFault) {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Coordinate(latitude: latitude, longitude: 0) == nil
        ? BodyFault(at: fields.place("latitude"), "must be between -90 and 90")
        : BodyFault(at: fields.place("longitude"), "must be between -180 and 180")
    }
    self = coordinate
  }
}
