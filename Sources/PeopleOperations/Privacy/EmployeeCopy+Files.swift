import Foundation
import ReadModels
import ShiftDomain

extension EmployeeCopy {
  var files: [ArchiveFile] {
    [
      ArchiveFile(path: "README.txt", lines: [readMe]),
      ArchiveFile(path: "track.gpx", lines: track),
    ]
      + tables.filter { !$0.rows.isEmpty }.map { table in
        ArchiveFile(path: "tables/\(table.table).jsonl", lines: table.rows)
      }
  }

  private var readMe: String {
    let words = [
      meanings("authorization_code", Authorization.self),
      meanings("accuracy", LocationAccuracy.self), meanings("services", Switch.self),
      meanings("platform", Platform.self), meanings("kind of an incident", IncidentKind.self),
      meanings("action", AuditAction.self),
    ]
    return """
      All data that ShiftGuard keeps about employee \(employee.rawValue), as of \(asOf.rfc3339).

      tables/    one file per table, one JSON object per row; times in UTC; latitude_e7 is
                 degrees times ten million
      track.gpx  all stored positions, one track per shift (GPX 1.1)

      Not included: passwords, push addresses, and hashes of tokens, codes and request bodies.

      Meaning of the numbers
      \(words.joined(separator: "\n"))
      """
  }

  private var track: [String] {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<gpx version="1.1" creator="ShiftGuard" xmlns="http://www.topografix.com/GPX/1/1">"#,
    ]
    var shift: Int32?
    for fix in fixes {
      if fix.shift != shift {
        if shift != nil { lines.append("</trkseg></trk>") }
        lines.append("<trk><name>shift \(fix.shift)</name><trkseg>")
        shift = fix.shift
      }
      let (latitude, longitude) = (fix.place.latitude, fix.place.longitude)
      let place = String(format: #"<trkpt lat="%.7f" lon="%.7f">"#, latitude, longitude)
      lines.append("\(place)<time>\(fix.at.rfc3339)</time></trkpt>")
    }
    if shift != nil { lines.append("</trkseg></trk>") }
    return lines + ["</gpx>"]
  }
}

/// The meaning of a column's numbers.
private func meanings<Word: Coded>(_ column: String, _ type: Word.Type) -> String {
  let words = Word.allCases.map { "\($0.rawValue) \($0.code)" }
  return "\(column): \(words.joined(separator: ", "))"
}
