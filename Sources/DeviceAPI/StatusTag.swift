import APIJSON
import Cryptography
import GuardRules
import Guidance
import HTTPServing
import JSONText
import ShiftDomain

/// The `ETag` of a status. It has all that is needed to see that nothing has changed, so that no
/// instance has to remember what it answered: the key of what was stored, how long time alone
/// changes nothing, and a hash of what was shown. A client that invents one deceives only itself.
struct StatusTag: Hashable, Sendable {
  /// Of what is stored, for the language and app session of the request.
  var key: String
  var lastsUntil: Instant
  /// Of what was shown.
  var content: String

  init(key: String, lastsUntil: Instant, content: String) {
    self.key = key
    self.lastsUntil = lastsUntil
    self.content = content
  }

  /// `nil` for any text that is no tag of ours.
  private init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let milliseconds = Int64(parts[1]) else { return nil }
    self.init(
      key: String(parts[0]), lastsUntil: Instant(milliseconds: milliseconds),
      content: String(parts[2]))
  }

  /// Weak, because the time in the body is another at every request.
  var text: String { "W/\"\(key)-\(lastsUntil.milliseconds)-\(content)\"" }

  /// Those in `If-None-Match`.
  static func all(in request: HTTPRequest) -> [StatusTag] {
    request.headers.values(of: "If-None-Match").flatMap { $0.split(separator: ",") }
      .compactMap { item in
        let parts = item.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count == 3 ? StatusTag(parts[1]) : nil
      }
  }

  /// The key of what is stored, for what else the answer to `request` depends on.
  static func key(_ stored: String, of request: DeviceRequest, in appSession: String?) -> String {
    hash(Array("\(stored) \(request.language?.code ?? "-") \(appSession ?? "")".utf8))
  }

  /// A hash of all that `body` shows but the time of the tracking state.
  static func content(
    of body: JSONObject, _ tracking: TrackingState, in language: Language
  ) -> String {
    let rest = JSONObject(body.members.filter { $0.name != "trackingState" })
    let words = "\(language.code) \(tracking.value.code) \(tracking.reason?.code ?? "")"
    return hash(JSONValue.object(rest).bytes + Array(words.utf8))
  }

  /// 88 bits are enough to tell the states of one device apart.
  static func hash(_ bytes: [UInt8]) -> String {
    String(Base64URL.encode(Array(sha256(bytes).prefix(11))).map { $0 == "-" ? "." : $0 })
  }
}
