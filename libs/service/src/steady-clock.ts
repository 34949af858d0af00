export type Clocks = { wallMs: () => number; steadyMs: () => number }

/** Beyond, the clock was wrong before it was set back: time must not stand still until it has caught up. */
const SET_BACK_MAX_MS = 300_000

const ofThisProcess: Clocks = { wallMs: Date.now, steadyMs: () => performance.timeOrigin + performance.now() }

/** The time of day as milliseconds since 1970. A clock that is set back by minutes makes nothing live longer. */
export function createSteadyClock({ wallMs, steadyMs }: Clocks = ofThisProcess): () => number {
  return () => {
    const wall = wallMs()
    const steady = steadyMs()
    return steady - wall > SET_BACK_MAX_MS ? wall : Math.max(wall, steady)
  }
}
