import ShiftDomain

extension [ReceivedPing] {
  /// The pings that the shift counts. The others are sealed: a late record put them outside the
  /// shift, into a break, or on a device that did not track, or a correction added its time. With
  /// `isOpen` the shift continues after `frame`'s end.
  public func counted(in frame: CoverageFrame, isOpen: Bool) -> [ReceivedPing] {
    filter { ping in
      let at = ping.effectiveAt
      let device = frame.devices.last { $0.since <= at } ?? frame.devices.first
      return at >= frame.shift.start && (isOpen || at < frame.shift.end)
        && !frame.breaks.contains(at) && !frame.added.contains(at) && ping.device == device?.device
    }
  }
}
