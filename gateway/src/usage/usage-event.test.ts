import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EventEnvelope } from '@tapeline/contracts/event'
import { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import type { Decision } from './decision.ts'
import { CHECKSUM_BYTES } from './journal-lines.ts'
import { outcomeOf, type UsageFacts, usageLines } from './usage-event.ts'

const values = [10, 60, 600, 6_000, 60_000, 5]
const decision: Decision = {
  verdict: 'admitted',
  isDegraded: false,
  nowMs: Date.parse('2026-03-01T10:00:00.123Z'),
  deniedMask: 0,
  retryAfterMs: 0,
  used: [1, 2, 3, 4, 5, 1],
  resetMs: [99.2, 30_000, 1, 1, 1, 0],
  limits: { values, argv: values.map(String) },
  key: undefined,
}

function facts(overrides: Partial<UsageFacts> = {}): UsageFacts {
  return {
    accountId: 'account-1',
    keyId: 'key-1',
    kid: 'kid1',
    tier: 'pro',
    method: 'GET',
    route: '/api/v1/trades/list',
    status: 200,
    outcome: 'ok',
    code: null,
    rejectedFields: undefined,
    decision,
    latencyUs: 1_000,
    upstreamLatencyUs: 900,
    bytesIn: 0,
    bytesOut: 10,
    rowsReturned: null,
    requestId: 'request-1',
    network: '192.0.2.0/24',
    ...overrides,
  }
}

function read(line: string) {
  expect(line.endsWith('\n')).toBe(true)
  const space = line.indexOf(' ')
  const envelope = Value.Parse(EventEnvelope, JSON.parse(line.slice(space + 1)))
  return { key: line.slice(0, space), envelope, data: Value.Parse(UsageRequestServed, envelope.data) }
}

test('a line is the account and an event of the contract', () => {
  const { key, envelope, data } = read(usageLines('gateway "ü"')(facts()))
  expect(key).toBe('account-1')
  expect(envelope).toMatchObject({
    subject: 'account-1',
    account: 'account-1',
    actorid: 'account-1',
    network: '192.0.2.0/24',
    time: '2026-03-01T10:00:00.123Z',
  })
  expect(data).toMatchObject({ key_id: 'key-1', kid: 'kid1', tier: 'pro', gateway_id: 'gateway "ü"', status: 200 })
  expect(data.decision).toMatchObject({ verdict: 'admitted', degraded: false, denied_by: [], retry_after_ms: 0 })
  expect(data.decision.windows[0]).toEqual({ policy: 'burst', used: 1, limit: 10, reset_ms: 100 })
  expect(data.decision.windows[5]).toEqual({ policy: 'conc', used: 1, limit: 5 })
})

test('the documents state the size of an event, and how many requests a journal of 256 MiB can store', () => {
  const [accountId, keyId] = [crypto.randomUUID(), crypto.randomUUID()]
  const identified = {
    accountId,
    keyId,
    kid: '0123456789AB',
    requestId: '0'.repeat(32),
    rowsReturned: 1_000,
    bytesOut: 90_000,
  }
  const typical = { used: [12, 345, 6_789, 45_678, 600_000, 3], resetMs: [300, 31_000, 2e6, 4e7, 2e9, 0] }
  const line = usageLines('gateway-0')(facts({ ...identified, decision: { ...decision, ...typical } }))
  const bytes = Buffer.byteLength(line) - 1 + CHECKSUM_BYTES
  const documents = join(import.meta.dirname, '..', '..', '..', 'docs')
  const stated = Math.round(bytes / 100) * 100
  expect(readFileSync(join(documents, 'capacity.md'), 'utf8')).toContain(
    `takes about ${stated.toLocaleString('en')} bytes`,
  )
  const requests = Math.round(2 ** 28 / bytes / 100_000) * 100_000
  const text = `256 MiB, about ${requests.toLocaleString('en')} requests`
  expect(readFileSync(join(documents, 'degraded-modes.md'), 'utf8')).toContain(text)
})

test('cached facts about a caller are not used for another caller, nor after they changed', () => {
  const line = usageLines('gateway-1')
  const callers: Partial<UsageFacts>[] = [
    {},
    { network: '198.51.100.0/24' },
    { tier: 'free' },
    { keyId: 'key-2' },
    { kid: 'kid2', keyId: 'key-3' },
    { accountId: 'account-2', kid: null, keyId: 'session' },
    { accountId: 'account-2' },
    {},
  ]
  for (const caller of callers) {
    const { accountId, keyId, kid, tier, network } = facts(caller)
    const { key, envelope, data } = read(line(facts(caller)))
    expect([key, envelope.account, envelope.network]).toEqual([accountId, accountId, network])
    expect(data).toMatchObject({ account_id: accountId, key_id: keyId, kid, tier, network })
  }
})

test('a denied event names the policies, and changed limits are formatted again', () => {
  const line = usageLines('gateway-1')
  line(facts())
  const limits = { values: [1, 2, 3, 4, 5, 6], argv: [] }
  const denied: Decision = { ...decision, verdict: 'denied', deniedMask: 2, retryAfterMs: 1_500.5, limits }
  const { data } = read(
    line(facts({ decision: denied, status: 429, outcome: 'denied', code: 'limit.minute_exceeded' })),
  )
  expect(data).toMatchObject({ status: 429, outcome: 'denied', code: 'limit.minute_exceeded' })
  expect(data.decision).toMatchObject({ verdict: 'denied', denied_by: ['min'], retry_after_ms: 1_501 })
  expect(data.decision.windows.map(({ limit }) => limit)).toEqual(limits.values)
})

test('shadow limits are recorded with the request that they decided, whatever the limits in force decided', () => {
  const proposal = '01a217a2-fcd0-7120-9a86-ec469e9cd7fe'
  const shadowOf = (one: Partial<Decision>) =>
    read(usageLines('gateway-1')(facts({ decision: { ...decision, ...one } }))).data.decision.shadow
  expect(shadowOf({})).toBeUndefined()
  const admitted = { proposal, deniedMask: 0, retryAfterMs: 0 }
  expect(shadowOf({ shadow: admitted })).toEqual({ proposal, denied_by: [] })
  const denied = { proposal, deniedMask: 33, retryAfterMs: 1_234.5 }
  const deniedBy = { proposal, denied_by: ['burst', 'conc'], retry_after_ms: 1_235 }
  expect(shadowOf({ shadow: denied })).toEqual(deniedBy)
  expect(shadowOf({ verdict: 'denied', deniedMask: 2, shadow: denied })).toEqual(deniedBy)
})

test('a tier’s shadow limits and caps proposed for the key have separate verdicts', () => {
  const decisionOf = (one: Partial<Decision>) =>
    read(usageLines('gateway-1')(facts({ decision: { ...decision, ...one } }))).data.decision
  const ofTier = { proposal: '01a217a2-fcd0-7120-9a86-ec469e9cd7fe', deniedMask: 0, retryAfterMs: 0 }
  const ofKey = { proposal: '01a217a2-fcd0-7120-9a86-ec469e9cd7ff', deniedMask: 2, retryAfterMs: 60_000 }
  const shown = { proposal: ofKey.proposal, denied_by: ['min'], retry_after_ms: 60_000 }
  expect(decisionOf({ keyShadow: ofKey })).toMatchObject({ key_shadow: shown })
  expect(decisionOf({ keyShadow: ofKey })).not.toHaveProperty('shadow')
  const both = { shadow: { proposal: ofTier.proposal, denied_by: [] }, key_shadow: shown }
  expect(decisionOf({ shadow: ofTier, keyShadow: ofKey })).toMatchObject(both)
})

test('a request rejected before the windows are read has no windows in its event', () => {
  const refused: Decision = { ...decision, verdict: 'refused', used: [], resetMs: [] }
  expect(read(usageLines('gateway-1')(facts({ decision: refused }))).data.decision.windows).toEqual([])
})

test.each([
  [200, 'ok'],
  [399, 'ok'],
  [400, 'client_error'],
  [499, 'client_error'],
  [500, 'server_error'],
  [503, 'server_error'],
])('an answer with status %i is counted as %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome)
})
