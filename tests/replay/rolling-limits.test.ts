import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide, seededAccount, loadScripts, redis, START } from '../../gateway/test/limiter-scripts.fixture.ts'
import { RollingLimits } from '../../services/audit/src/replay/rolling-limits.ts'

beforeAll(loadScripts)
afterAll(() => redis.quit())

const MONTH_END_S = Math.floor(START / 1_000) + 40_000
const NEXT_END_S = MONTH_END_S + 30 * 86_400
const limit = (max: number) => fc.integer({ min: 1, max })
const gap = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 150 }),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 200_000 }),
  fc.integer({ min: 0, max: 30_000_000 }),
)

test('in virtual time every decision equals that of decide.lua in Redis', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(limit(6), limit(12), limit(20), limit(30), limit(45)),
      fc.array(gap, { minLength: 30, maxLength: 80 }),
      async (windows, gaps) => {
        const limits = [...windows, 1e6]
        const account = await seededAccount()
        const engine = new RollingLimits()
        let now = START
        for (const each of gaps) {
          now += each
          const month: [number, number, number] = [0, MONTH_END_S, NEXT_END_S]
          const reply = await decide(account, { limits, now, month })
          engine.advance(now, now >= MONTH_END_S * 1_000 ? NEXT_END_S * 1_000 : MONTH_END_S * 1_000)
          const used = [0, 1, 2, 3, 4].map((n) => engine.used(n))
          const mask = engine.deniedMask(limits, 0)
          const wait = mask === 0 ? 0 : engine.waitMs(mask, limits)
          const expected = { now, admitted: mask === 0 ? 1 : 0, mask, wait, used }
          const [, at, admitted, denied, waited] = reply
          expect({ now: at, admitted, mask: denied, wait: waited, used: reply.slice(5, 10) }).toEqual(expected)
          if (mask === 0) engine.add()
        }
      },
    ),
    { numRuns: 60, seed: PROPERTY_SEED },
  )
})
