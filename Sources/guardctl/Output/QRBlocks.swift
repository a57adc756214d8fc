import CommandParsing
import QREncoding

extension QRCode {
  /// The code as lines for a terminal; each character shows two modules, one above the other.
  /// Without colours, the light modules are drawn, as on a dark screen.
  func blocks(_ styling: Styling) -> [String] {
    let zone = Self.quietZone
    return stride(from: -zone, to: size + zone, by: 2).map { row in
      let line = (-zone..<size + zone).map { column -> Character in
        let (above, below) = (self[row, column], self[row + 1, column])
        return switch (above != styling.isOn, below != styling.isOn) {
        case (true, true): " "
        case (false, true): "▀"
        case (true, false): "▄"
        case (false, false): "█"
        }
      }
      // Black on white by colour number: a theme's "white" may be grey.
      return styling.isOn ? "\u{1B}[38;5;16;48;5;231m\(String(line))\u{1B}[0m" : String(line)
    }
  }
}
