const SLICES_MAX = 24
const SLICE_SECONDS_MIN = 5

/** Number of time slices with separate figures, from which charts over time are drawn. */
export type Slices = { count: number; seconds: number }

export function slicesOf(totalSeconds: number): Slices {
  const seconds = Math.max(SLICE_SECONDS_MIN, Math.ceil(totalSeconds / SLICES_MAX))
  return { count: Math.ceil(totalSeconds / seconds), seconds }
}

/** A request that ends late counts in the last slice. */
export function sliceAt({ count, seconds }: Slices, elapsedMs: number): string {
  return nameOf(Math.min(count - 1, Math.max(0, Math.floor(elapsedMs / 1_000 / seconds))))
}

export function sliceNames({ count }: Slices): string[] {
  return Array.from({ length: count }, (_, n) => nameOf(n))
}

function nameOf(slice: number): string {
  return String(slice).padStart(2, '0')
}
