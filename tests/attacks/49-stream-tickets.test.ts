import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { setTimeout as delay } from 'node:timers/promises'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const STREAM = `${gatewayUrl}/api/v1/stream`
const TICKET_LIFE_MS = 30_000
const MARGIN_MS = 1_000
const QUERY = 'channel=trades&venues=sim&symbols=BTC-USDT'

let jwtToken: string
let otherKey: string
let old: { ticket: string; atMs: number }

/** Repeats the request while the limits of the plan reject it. */
async function newTicket(): Promise<string> {
  let ticket: string | undefined
  await waitUntil('a ticket', async () => {
    const options = { token: jwtToken, method: 'POST' } as const
    ticket = (await send<{ data?: { ticket: string } }>(`${STREAM}/tickets`, options)).body.data?.ticket
    return ticket !== undefined
  })
  return ticket ?? ''
}

/** Status and code of an event stream; an opened stream is closed. */
async function open(ticket: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const response = await fetch(`${STREAM}?${QUERY}&ticket=${ticket}`, { headers, signal: controller.signal })
  const { status } = response
  const { code } = status === 200 ? { code: undefined } : ((await response.json()) as { code?: string })
  controller.abort()
  return { status, code }
}

beforeAll(async () => {
  jwtToken = (await signUpUser(gatewayUrl)).jwtToken
  old = { ticket: await newTicket(), atMs: Date.now() }
  otherKey = (await createKeyFor(gatewayUrl, (await signUpUser(gatewayUrl)).jwtToken)).apiKey
})

test('a ticket opens one stream, never a second one', async () => {
  const ticket = await newTicket()
  expect(await open(ticket)).toEqual({ status: 200, code: undefined })
  expect(await open(ticket)).toEqual({ status: 401, code: 'credential.invalid' })
})

test('a guessed, modified or empty ticket is rejected', async () => {
  const ticket = await newTicket()
  const changed = ticket.slice(0, -1) + (ticket.endsWith('A') ? 'B' : 'A')
  for (const wrong of [changed, '', 'A'.repeat(32), `${ticket}A`]) {
    expect(await open(wrong)).toEqual({ status: 401, code: 'credential.invalid' })
  }
})

test('a ticket together with another account’s key is rejected', async () => {
  expect(await open(await newTicket(), { 'x-api-key': otherKey })).toEqual({ status: 400, code: 'request.invalid' })
})

test('a ticket is rejected by every other call', async () => {
  const { status } = await send(`${gatewayUrl}/api/v1/limits?ticket=${await newTicket()}`)
  expect(status).toBe(401)
})

test('a ticket older than 30 s is rejected', async () => {
  await delay(Math.max(0, old.atMs + TICKET_LIFE_MS + MARGIN_MS - Date.now()))
  expect(await open(old.ticket)).toEqual({ status: 401, code: 'credential.invalid' })
})
