import HTTPSending

extension SendOutcome {
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

/// The other side's id for a message, if it looks like one.
func reference(_ name: String?) -> String? {
  guard let name, (1...200).contains(name.utf8.count),
    name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
  else { return nil }
  return name
}

/// A word from the other side, if it is safe to show in a reason; otherwise `?`.
func showable(_ word: String) -> String {
  isName(word, lengthMax: 64) ? word : "?"
}
