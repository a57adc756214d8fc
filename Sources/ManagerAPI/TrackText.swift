import APIJSON
import HTTPAPI
import InsightOperations
import JSONText
import ReadModels
import ShiftDomain

/// A track as text, written page by page.
struct TrackText: Sendable {
  private let track: OpenTrack
  private let form: AnswerForm
  private var last: TrackFix?

  init(_ track: OpenTrack, as form: AnswerForm) {
    self.track = track
    self.form = form
  }

  var head: String {
    switch form {
    case .json:
      let head: JSONObject = [
        "shift": .object(JSONObject(track.shift)), "startedAt": JSONValue(track.startedAt),
        "endedAt": track.endedAt.map { JSONValue($0) },
        "maxFixAge": JSONValue(track.fixAgeMax.seconds),
      ]
      return String(decoding: JSONValue.object(head).bytes.dropLast(), as: UTF8.self)
        + ",\"fixes\":["
    case .geojson: return "{\"type\":\"FeatureCollection\",\"features\":["
    case .csv:
      return "time,latitude,longitude,accuracy_m,speed_m_s,heading_deg,altitude_m,device,mock\r\n"
    case .gpx:
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="ShiftGuard" xmlns="http://www.topografix.com/GPX/1/1">
        <trk><name>Employee \(track.shift.employee.rawValue), shift \(track.shift.number)</name>
        <trkseg>

        """
    }
  }

  var tail: String {
    switch form {
    case .json, .geojson: "]}"
    case .csv: ""
    case .gpx: "</trkseg>\n</trk>\n</gpx>\n"
    }
  }

  mutating func write(_ fixes: [TrackFix]) -> String {
    var text = ""
    for fix in fixes {
      text += separator(before: fix) + line(fix)
      last = fix
    }
    return text
  }

  private func separator(before fix: TrackFix) -> String {
    guard let last else { return "" }
    switch form {
    case .json, .geojson: return ",\n"
    case .csv: return ""
    // The positions in between are unknown, so no line connects them.
    case .gpx: return fix.at - last.at > track.fixAgeMax ? "</trkseg>\n<trkseg>\n" : ""
    }
  }

  private func line(_ fix: TrackFix) -> String {
    let (north, east) = (
      degrees(fix.fix.coordinate.latitude), degrees(fix.fix.coordinate.longitude)
    )
    switch form {
    case .json:
      return "{\"at\":\"\(fix.at.rfc3339)\",\"latitude\":\(north),\"longitude\":\(east)"
        + members(fix) + "}"
    case .geojson:
      let height = fix.fix.altitudeMeters.map { ",\($0)" } ?? ""
      return "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\","
        + "\"coordinates\":[\(east),\(north)\(height)]},"
        + "\"properties\":{\"at\":\"\(fix.at.rfc3339)\"" + members(fix) + "}}"
    case .csv:
      let numbers = [
        fix.fix.accuracyMeters, fix.fix.speedMetersPerSecond, fix.fix.headingDegrees,
        fix.fix.altitudeMeters,
      ].map { $0.map { "\($0)" } ?? "" }
      return ([fix.at.rfc3339, north, east] + numbers + ["\(fix.device)", "\(fix.isMock)"])
        .joined(separator: ",") + "\r\n"
    case .gpx:
      let height = fix.fix.altitudeMeters.map { "<ele>\($0)</ele>" } ?? ""
      return "<trkpt lat=\"\(north)\" lon=\"\(east)\">\(height)"
        + "<time>\(fix.at.rfc3339)</time>\(fix.isMock ? "<src>mock</src>" : "")</trkpt>\n"
    }
  }

  /// The quality values that the phone reported, and the device.
  private func members(_ fix: TrackFix) -> String {
    let values: [(String, Double?)] = [
      ("accuracy", fix.fix.accuracyMeters), ("speed", fix.fix.speedMetersPerSecond),
      ("heading", fix.fix.headingDegrees), ("altitude", fix.fix.altitudeMeters),
    ]
    return values.compactMap { name, number in number.map { ",\"\(name)\":\($0)" } }.joined()
      + ",\"device\":\(fix.device)" + (fix.isMock ? ",\"mock\":true" : "")
  }
}

/// Degrees with seven decimals, about a centimetre. No exponent: XML decimals do not allow one.
func degrees(_ number: Double) -> String {
  let places = Int64((number * 10_000_000).rounded())
  let digits = String(abs(places) % 10_000_000)
  return (places < 0 ? "-" : "") + "\(abs(places) / 10_000_000)."
    + String(repeating: "0", count: 7 - digits.count) + digits
}
