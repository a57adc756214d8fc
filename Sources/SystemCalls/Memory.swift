#if canImport(Glibc)
  internal import CMalloc
#endif

/// Returns memory that is no longer used to the system. To be called after something large: without
/// it, the allocator keeps freed memory that lies between used blocks for ever. Takes milliseconds
/// when there is much to return, so not on a thread that serves others.
public func returnFreedMemory() {
  #if canImport(Glibc)
    malloc_trim(0)
  #endif
}

/// Bounds the freed memory that the allocator keeps at the end of each of its heaps, of which there
/// are eight for every core, to a megabyte. Its own bound grows with the largest block that was
/// ever freed, up to 64 MB a heap, and `returnFreedMemory` does not reach the end of a heap.
/// - Source: mallopt(3), M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_MXFAST.
public func boundKeptMemory() {
  #if canImport(Glibc)
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
    // Both, or the allocator goes on adjusting them.
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
    // Small blocks too join what is free around them. Kept apart for the next of their size, they
    // become the end of a heap only when memory is returned, which does not reach it.
    mallopt(M_MXFAST, 0)
  #endif
}
