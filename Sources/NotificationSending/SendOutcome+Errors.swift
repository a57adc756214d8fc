internal import HTTPSending

extension SendOutcome {
  /// What it means for a message that there was no response.
  init(_ error: SendingError) {
    self =
      switch error {
      case .unreachable: .retry(reason: error.description, after: nil)
      case .deadlineExceeded, .interrupted, .responseTooLarge, .cancelled:
        .unknown(reason: error.description)
      case .outOfReach, .unsendable: .refused(reason: error.description)
      }
  }
}

/// The other side's name for a message, if it looks like one.
func reference(_ name: String?) -> String? {
  guard let name, (1...200).contains(name.utf8.count),
    name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
  else { return nil }
  return name
}

/// A word of the other side's that may stand in a reason: letters, digits and what names are made
/// of, at most 64; anything else is left out.
func showable(_ word: String) -> String {
  isName(word, lengthMax: 64) ? word : "?"
}
