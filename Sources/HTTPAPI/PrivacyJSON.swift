import JSONText
import ReadModels

extension PrivacyNotice {
  /// `PrivacyNotice`.
  package var json: JSONObject {
    [
      "version": JSONValue(version), "createdAt": JSONValue(createdAt), "text": .string(text),
    ]
  }
}
