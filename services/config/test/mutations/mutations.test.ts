import { expect, test } from 'vitest'
import { tryMutations } from './try-mutations.fixture.ts'

/** `npm run verify:configs` tries ten thousand. */
const TIMES = 200
const SEED = 20_260_310
/** It takes four seconds on an idle machine. */
const PATIENCE_MS = 900_000

test(
  'two hundred mutated configurations, flags and tier documents cause no server error, keep the valid state, and each rejection is published',
  async () => {
    const { tried, stored, refused, announced, wrong, answers } = await tryMutations(TIMES, SEED)
    expect(wrong).toEqual([])
    expect(tried).toBe(TIMES)
    expect(stored, JSON.stringify(answers)).toBeGreaterThan(8)
    expect(refused, JSON.stringify(answers)).toBeGreaterThan(80)
    expect(announced, JSON.stringify(answers)).toBeGreaterThan(40)
  },
  PATIENCE_MS,
)
