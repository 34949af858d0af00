import { expect } from 'vitest'
import { createField, type Field, type Outcome, runDrill, type Size, type WiredPlatform } from './drill.ts'

/** Kills per process in the short form of the kill drills. */
export const KILLS = 3
const SHORT: Size = { kills: KILLS, awayMs: 3_000, settledWithinMs: 100_000, isTimed: false }

/** Runs a drill in its short form and fails with its broken checks. The moments of its faults are random: a failure names their seed. */
export async function expectDrillHeld(
  wired: WiredPlatform,
  run: (field: Field) => Promise<Outcome>,
  size: Partial<Size> = {},
): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const field = createField(wired, { seed, size: { ...SHORT, ...size } })
  const { checks, figures } = await runDrill(field, run)
  const broken = checks.filter((one) => one.broken.length > 0)
  expect(broken, `seed ${seed} ${JSON.stringify(figures)}`).toEqual([])
  expect(checks.length).toBeGreaterThan(0)
}
