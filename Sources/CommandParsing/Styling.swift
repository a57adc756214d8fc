package struct Styling: Sendable {
  package enum Style: String, CaseIterable, Sendable {
    case bold = "1"
    case dim = "2"
    /// For blocked or failed.
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  package var isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  /// Applies styles on a terminal that supports them, unless the user turned them off.
  /// - Source: https://no-color.org
  package init(isTerminal: Bool, environment: [String: String]) {
    isOn =
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  package func apply(_ styles: Style..., to text: some StringProtocol) -> String {
    guard isOn, !text.isEmpty, !styles.isEmpty else { return String(text) }
    return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
