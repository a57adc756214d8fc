/// Suspends until its task is cancelled: the work of one who never comes to an end by himself.
public func untilCancelled() async {
  let (nothing, source) = AsyncStream<Never>.makeStream()
  for await _ in nothing {}
  source.finish()  // held until here, or its own end would end the stream
}
