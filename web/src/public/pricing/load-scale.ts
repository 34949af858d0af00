/** Positions on a ruler are 0 to 1,000, each decade equally wide. */
export const POSITION_MAX = 1_000

export type LoadScale = { min: number; max: number }

/** From `min` to the end of the decade above the highest limit, so that its mark is inside. */
export function scaleFor(min: number, limits: readonly number[]): LoadScale {
  return { min, max: 10 ** (Math.floor(Math.log10(Math.max(min, ...limits))) + 1) }
}

export function positionOf(scale: LoadScale, value: number): number {
  const share = Math.log10(value / scale.min) / Math.log10(scale.max / scale.min)
  return Math.min(1, Math.max(0, share)) * POSITION_MAX
}

/** Two significant digits: a load is an estimate. */
export function valueAt(scale: LoadScale, position: number): number {
  const value = scale.min * (scale.max / scale.min) ** (position / POSITION_MAX)
  return Number(value.toPrecision(2))
}

export type Tick = { percent: number; size: 'decade' | 'half' | 'small' }

export function ticksOf(scale: LoadScale): Tick[] {
  const ticks: Tick[] = []
  for (let decade = scale.min; decade < scale.max; decade *= 10) {
    for (let step = 1; step < 10; step += 1) {
      const size = step === 1 ? 'decade' : step === 5 ? 'half' : 'small'
      ticks.push({ percent: positionOf(scale, decade * step) / 10, size })
    }
  }
  return [...ticks, { percent: 100, size: 'decade' }]
}
