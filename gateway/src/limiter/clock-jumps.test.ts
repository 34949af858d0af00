import { type Clocks, createSteadyClock } from '@tapeline/service/steady-clock'
import { ACCESS_TOKEN_LIFE_SECONDS, PublicKeys } from '@tapeline/contracts/identity/access-token'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { accessTokenFor, testPublicKey } from '../../test/account.fixture.ts'
import { AccessTokens } from '../auth/access-tokens.ts'

const TOLERANCE_MS = 30_000
const BEGIN_MS = 1_800_000_000_000
/** The elapsed time, and the offset of the wall clock from then on. */
const step = fc.record({
  passesMs: fc.integer({ min: 0, max: 300_000 }),
  offMs: fc.integer({ min: -120_000, max: 120_000 }),
})

/** Accepts every signature, because only expiry is tested. */
const verify = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

function tokensBy(nowMs: () => number): AccessTokens {
  return new AccessTokens({
    verify,
    fetchPublicKeys: async () => Value.Parse(PublicKeys, { keys: [testPublicKey] }),
    nowMs,
  })
}

async function lifeOf(
  createClock: (clocks: Clocks) => () => number,
  steps: { passesMs: number; offMs: number }[],
): Promise<number> {
  const truth = { ms: BEGIN_MS, offMs: 0 }
  const tokens = tokensBy(createClock({ wallMs: () => truth.ms + truth.offMs, steadyMs: () => truth.ms }))
  const iat = BEGIN_MS / 1_000
  const token = accessTokenFor('some-user', { iat, exp: iat + ACCESS_TOKEN_LIFE_SECONDS })
  await tokens.read(token)
  let lastSeenMs = BEGIN_MS
  for (const { passesMs, offMs } of steps) {
    truth.ms += passesMs
    truth.offMs = offMs
    if (tokens.find(token) !== undefined) lastSeenMs = truth.ms
  }
  return lastSeenMs - BEGIN_MS
}

test('with any clock jump within two minutes, no token is accepted after its expiry', async () => {
  const lifeMs = ACCESS_TOKEN_LIFE_SECONDS * 1_000
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
    expect(await lifeOf(createSteadyClock, steps)).toBeLessThanOrEqual(lifeMs + TOLERANCE_MS)
  })
  await fc.assert(property, { seed: PROPERTY_SEED, numRuns: 300 })
  const setBack = [{ passesMs: lifeMs + TOLERANCE_MS + 1, offMs: -120_000 }]
  expect(await lifeOf(createSteadyClock, setBack)).toBe(0)
  expect(await lifeOf(({ wallMs }) => wallMs, setBack)).toBeGreaterThan(lifeMs)
})
