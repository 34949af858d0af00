export type Clocks = { wallMs: () => number; steadyMs: () => number }

/** A larger step back means that the clock was wrong before: time must not stand still until it has caught up. */
const SET_BACK_MAX_MS = 300_000

const ofThisProcess: Clocks = { wallMs: Date.now, steadyMs: () => performance.timeOrigin + performance.now() }

/** Milliseconds since 1970. Setting the clock back by minutes does not extend the life of anything. */
export function createSteadyClock({ wallMs, steadyMs }: Clocks = ofThisProcess): () => number {
  return () => {
    const wall = wallMs()
    const steady = steadyMs()
    return steady - wall > SET_BACK_MAX_MS ? wall : Math.max(wall, steady)
  }
}
