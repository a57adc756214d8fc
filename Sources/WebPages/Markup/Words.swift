import GuardRules
import Guidance
import ShiftDomain

// Where a label stands alone it begins with a capital.

extension Finding {
  var name: HTML { "\(label)" }
}

extension IncidentKind {
  var name: HTML { "\(label.capitalizedFirst)" }
}

extension CoverageReason {
  var name: HTML { "\(label.capitalizedFirst)" }
}

extension [HTML] {
  func joined(by separator: HTML) -> HTML {
    var joined = HTML()
    for (index, piece) in enumerated() {
      if index > 0 { joined.append(separator) }
      joined.append(piece)
    }
    return joined
  }
}
