import Foundation
import JSONText
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

extension EmployeeCopy {
  var files: [ArchiveFile] {
    [
      ArchiveFile(path: "README.txt", bytes: Array(readMe.utf8)),
      ArchiveFile(path: "track.gpx", bytes: track),
    ]
      + tables.filter { !$0.rows.isEmpty }.map { table in
        ArchiveFile(
          path: "tables/\(table.table).jsonl",
          bytes: Array((table.rows.joined(separator: "\n") + "\n").utf8))
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

  private var track: [UInt8] {
    var text = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="ShiftGuard" xmlns="http://www.topografix.com/GPX/1/1">

      """.utf8)
    var shift: Int32?
    for fix in fixes {
      if fix.shift != shift {
        if shift != nil { text += "</trkseg></trk>\n".utf8 }
        text += "<trk><name>shift \(fix.shift)</name><trkseg>\n".utf8
        shift = fix.shift
      }
      let (latitude, longitude) = (fix.place.latitude, fix.place.longitude)
      let place = String(format: #"<trkpt lat="%.7f" lon="%.7f">"#, latitude, longitude)
      text += "\(place)<time>\(fix.at.rfc3339)</time></trkpt>\n".utf8
    }
    if shift != nil { text += "</trkseg></trk>\n".utf8 }
    return text + Array("</gpx>\n".utf8)
  }
}

/// The meaning of a column's numbers.
private func meanings<Word: Coded>(_ column: String, _ type: Word.Type) -> String {
  let words = Word.allCases.map { "\($0.rawValue) \($0.code)" }
  return "\(column): \(words.joined(separator: ", "))"
}
