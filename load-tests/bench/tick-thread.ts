import { parentPort, workerData } from 'node:worker_threads'

/** Signals its parent when a request is due, by waiting on a futex: accurate to about 50 µs, where a timer has 1 ms. */
export type Ticking = { startNs: bigint; everyNs: bigint; times: number }

// workerData is set by load.ts.
const { startNs, everyNs, times } = workerData as Ticking
const NS_PER_MS = 1_000_000
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
for (let n = 0; n < times; n += 1) {
  const waitNs = Number(startNs + BigInt(n) * everyNs - process.hrtime.bigint())
  if (waitNs > 0) Atomics.wait(never, 0, 0, waitNs / NS_PER_MS)
  parentPort?.postMessage(undefined)
}
