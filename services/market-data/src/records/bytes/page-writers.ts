import { ByteWriter } from './byte-writer.ts'
import { FIXED_BYTES } from './trade-bytes.ts'

/** Usual size of a trade as JSON, for the first buffer. */
const USUAL_BYTES = 400
/** Pages that are rendered or sent at once; further ones get a buffer of their own. */
const POOL_MAX = 8
/** Buffers of larger pages are not reused. */
const POOLED_BYTES_MAX = 1024 * 1024
const free: ByteWriter[] = []

/**
 * An empty writer. Its buffer is used again after `release`: with a new one for each page V8 would run a full garbage collection
 * every thirty pages.
 */
export function takeWriter(rows: number): ByteWriter {
  const writer = free.pop() ?? new ByteWriter(0, FIXED_BYTES)
  writer.clear()
  writer.reserve(rows * USUAL_BYTES + FIXED_BYTES)
  return writer
}

/** The writer's bytes must no longer be read. A writer that is not released is garbage-collected. */
export function release(writer: ByteWriter): void {
  if (free.length < POOL_MAX && writer.capacity() <= POOLED_BYTES_MAX) free.push(writer)
}
