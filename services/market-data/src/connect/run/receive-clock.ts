const NS_PER_MS = 1_000_000n
/** A wall clock that was set back further than this is followed. */
const BACK_NS = 1_000_000_000n

/** Nanosecond digits of now; each call gives a later time than the one before, unless the wall clock was set back. */
export function createReceiveClock(): () => string {
  let last = 0n
  let lastMs = 0
  let atMs = 0n
  return () => {
    const ms = Date.now()
    if (ms !== lastMs) {
      lastMs = ms
      atMs = process.hrtime.bigint()
    }
    const within = process.hrtime.bigint() - atMs
    const now = BigInt(ms) * NS_PER_MS + (within < NS_PER_MS ? within : NS_PER_MS - 1n)
    last = now > last || last - now > BACK_NS ? now : last + 1n
    return String(last)
  }
}
