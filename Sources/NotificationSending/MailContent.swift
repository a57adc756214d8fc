import Cryptography
import JSONText
import ShiftDomain

/// Header and body, as text and HTML, in short lines of ASCII that no server needs to change.
func mailContent(
  _ notification: OutgoingNotification, from sender: String, named senderName: String,
  to recipient: String
) -> [UInt8] {
  let domain = sender.split(separator: "@").last ?? "localhost"
  // Base64 never contains an underscore.
  let boundary = "=_\(notification.key)"
  let header = [
    "Date: \(mailDate(notification.occurredAt))",
    "From: \(encodedWords(senderName)) <\(sender)>",
    "To: <\(recipient)>",
    "Subject: \(encodedWords(notification.title))",
    "Message-ID: <\(notification.key)@\(domain)>",
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"",
  ]
  let parts = [("plain", plainText(notification)), ("html", hypertext(notification))].map {
    kind, text in
    [
      "--\(boundary)",
      "Content-Type: text/\(kind); charset=utf-8",
      "Content-Transfer-Encoding: base64", "",
      lines(of: Base64.encode(Array(text.utf8)), length: 76).joined(separator: "\r\n"),
    ]
  }
  let all = header + [""] + parts.joined() + ["--\(boundary)--", ""]
  return Array(all.joined(separator: "\r\n").utf8)
}

private func plainText(_ notification: OutgoingNotification) -> String {
  let steps = notification.steps.enumerated().map { "\($0 + 1). \($1)" }
  return ([notification.body, ""] + steps).joined(separator: "\r\n") + "\r\n"
}

private func hypertext(_ notification: OutgoingNotification) -> String {
  let steps = notification.steps.map { "<li>\(escaped($0))</li>" }.joined()
  return "<!DOCTYPE html>\r\n<html lang=\"\(escaped(notification.language))\"><head>"
    + "<meta charset=\"utf-8\"><title>\(escaped(notification.title))</title></head>\r\n<body>"
    + "<p>\(escaped(notification.body))</p>\r\n" + (steps.isEmpty ? "" : "<ol>\(steps)</ol>")
    + "</body></html>\r\n"
}

private func escaped(_ text: String) -> String {
  text.reduce(into: "") { escaped, character in
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\n", "\r\n": escaped += "<br>\r\n"
    default: escaped.append(character)
    }
  }
}

/// `text` in base64 words for a header, each on its own line, without parts of characters.
/// - Source: RFC 2047, section 2.
func encodedWords(_ text: String) -> String {
  var words: [[UInt8]] = [[]]
  for scalar in text.unicodeScalars {
    let bytes = Array(String(scalar).utf8)
    if let last = words.last, last.count + bytes.count > 42 { words.append([]) }
    words[words.count - 1] += bytes
  }
  return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
}

private func lines(of text: String, length: Int) -> [String] {
  let bytes = Array(text.utf8)
  return stride(from: 0, to: bytes.count, by: length).map { start in
    String(decoding: bytes[start..<min(start + length, bytes.count)], as: UTF8.self)
  }
}

/// The date of a mail, such as `20 Nov 2026 09:30:00 +0000`.
/// - Source: RFC 5322, section 3.3 (the weekday may be left out).
private func mailDate(_ instant: Instant) -> String {
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  let parts = instant.rfc3339.split { "-T:.Z".contains($0) }
  let month = (Int(parts[1]) ?? 1) - 1
  return "\(parts[2]) \(months[month]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
}
