import { expect, test } from 'vitest'
import { tryMutations } from './try-mutations.fixture.ts'

const TIMES = 500
const SEED = 20_260_310
/** It takes ten seconds on an idle machine. */
const PATIENCE_MS = 900_000

test(
  'five hundred mutated configurations, flags and tier documents cause no server error, keep the valid state, and each rejection is published',
  async () => {
    const { tried, stored, refused, announced, wrong, answers } = await tryMutations(TIMES, SEED)
    expect(wrong).toEqual([])
    expect(tried).toBe(TIMES)
    expect(stored, JSON.stringify(answers)).toBeGreaterThan(20)
    expect(refused, JSON.stringify(answers)).toBeGreaterThan(200)
    expect(announced, JSON.stringify(answers)).toBeGreaterThan(100)
  },
  PATIENCE_MS,
)
