import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
/** Backtracking over these strings takes minutes or years; a busy machine answers them at once. */
const BOUND_MS = 3_000
const MEASURED_MAX = 3
const HEADER_BYTES = 12_000
const BODY_BYTES = 200_000

let token = ''
let apiKey = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  token = jwtToken
  apiKey = (await createKeyFor(gatewayUrl, token)).apiKey
})

type RequestOptions = { method?: string; target: string; headers?: string[]; body?: object }

async function expectQuick({ method = 'GET', target, headers = [], body }: RequestOptions): Promise<void> {
  const bytes = rawRequest({
    method,
    target,
    headers: ['content-type: application/json', ...headers],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const status = await quickStatus(bytes)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(429)
}

/** Measured a few times: a slow pattern is slow each time, a busy machine only for a moment. */
async function quickStatus(bytes: string): Promise<number | undefined> {
  for (let measured = 1; ; measured += 1) {
    const startMs = performance.now()
    const { statuses } = await sendRaw(gatewayUrl, bytes)
    const tookMs = performance.now() - startMs
    if (tookMs < BOUND_MS) return statuses[0]
    if (measured === MEASURED_MAX) throw new Error(`an answer took ${tookMs} ms`)
  }
}

/** Typical input for catastrophic backtracking: an ambiguous prefix and a suffix that cannot match. */
const traps = (length: number): string[] =>
  ['a', '0', ' ', '/', 'a.', 'a@', '/.', '0,'].map((piece) => `${piece.repeat(Math.floor(length / piece.length))}!`)

test('addresses built for slow patterns are answered at once', async () => {
  for (const trap of traps(HEADER_BYTES)) {
    const path = trap.replaceAll(' ', '%20').slice(0, HEADER_BYTES)
    await expectQuick({ target: `/${path}` })
    await expectQuick({ target: `/api/v1/trades/${path}`, headers: [`authorization: Bearer ${apiKey}`] })
    await expectQuick({ target: `/api/v1/sample/BTC?${path}` })
  }
})

test.each(['authorization', 'x-api-key', 'connection', 'origin', 'content-type', 'x-forwarded-for', 'accept'])(
  'headers built for slow patterns are answered at once: %s',
  async (name) => {
    for (const trap of traps(HEADER_BYTES)) {
      await expectQuick({ target: '/api/v1/instruments', headers: [`${name}: ${trap}`] })
      if (name === 'authorization') {
        for (const scheme of ['Bearer', 'Bearer tl_live_', 'bearer eyJ']) {
          await expectQuick({ target: '/api/v1/instruments', headers: [`${name}: ${scheme} ${trap}`] })
        }
      }
    }
  },
)

/** Lengths within the contracts' limits, where patterns are evaluated, and far beyond them. */
const LENGTHS = [28, 70, 250, 1_000, BODY_BYTES]

test.each(['email', 'first_name', 'mobile', 'password'])(
  'a sign-up built for slow patterns is answered at once: %s',
  async (name) => {
    const person = { first_name: 'A', last_name: 'B', email: 'a@example.com', password: 'long enough', mobile: '+1' }
    for (const trap of LENGTHS.flatMap(traps)) {
      // Only the last field is invalid, so that all others are validated and no account is created.
      const body = { ...person, [name]: trap, reminder_time: 99 }
      await expectQuick({ method: 'PUT', target: '/api/v1/internal/user/create', body })
    }
  },
)

test.each(['start', 'price', 'cursor', 'symbols'])(
  'a filter built for slow patterns is answered at once: %s',
  async (name) => {
    const valueOf = (trap: string) => (name === 'price' ? { gte: trap } : name === 'symbols' ? [trap] : trap)
    for (const trap of LENGTHS.flatMap(traps)) {
      await expectQuick({
        method: 'POST',
        target: '/api/v1/trades/list',
        headers: [`authorization: Bearer ${apiKey}`],
        body: { venues: ['sim'], [name]: valueOf(trap) },
      })
    }
  },
)

test.each(['name', 'expires_at'])('a key built for slow patterns is answered at once: %s', async (name) => {
  for (const trap of LENGTHS.flatMap(traps)) {
    await expectQuick({
      method: 'POST',
      target: '/api/v1/internal/api-keys',
      headers: [`authorization: Bearer ${token}`],
      body: { name: 'key', expires_at: 'never', [name]: trap },
    })
  }
})

test('deeply nested JSON is answered at once', async () => {
  const body = `{"venues":${'['.repeat(BODY_BYTES / 2)}${']'.repeat(BODY_BYTES / 2)}}`
  const headers = ['content-type: application/json', `authorization: Bearer ${apiKey}`]
  const bytes = rawRequest({ method: 'POST', target: '/api/v1/trades/list', headers, body })
  expect(await quickStatus(bytes)).toBe(400)
})
