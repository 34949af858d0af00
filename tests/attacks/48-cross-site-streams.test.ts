import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { openRawStream } from './raw-socket.ts'

const platform = runningPlatform()
const { gatewayUrl, webUrl } = platform
const TICKETS = `${gatewayUrl}/api/v1/stream/tickets`
const OTHER_SITES = ['https://evil.example', 'null', `${webUrl}.evil.example`, gatewayUrl]

let jwtToken: string
let apiKey: string
beforeAll(async () => {
  const person = await signUpUser(gatewayUrl)
  jwtToken = person.jwtToken
  await setLimits(platform, person.user.id, { streamConnections: 100 })
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

async function statusOf(headers: Record<string, string>, query = ''): Promise<number> {
  const { socket, status } = await openRawStream(gatewayUrl, headers, query)
  socket.destroy()
  return status
}

test.each(OTHER_SITES)('a page of %s opens no stream, even with a key', async (origin) => {
  expect(await statusOf({ origin, 'x-api-key': apiKey })).toBe(403)
})

test('a cookie does not authorize a stream, and a page of the platform needs a credential too', async () => {
  const cookie = `jwtToken=${jwtToken}; tapeline-session=${jwtToken}`
  expect(await statusOf({ origin: OTHER_SITES[0] ?? '', cookie })).toBe(401)
  expect(await statusOf({ origin: webUrl, cookie })).toBe(401)
})

test('a page of another site cannot read a ticket', async () => {
  const headers = { origin: OTHER_SITES[0] ?? '', authorization: `Bearer ${jwtToken}` }
  const response = await fetch(TICKETS, { method: 'POST', headers })
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-allow'))).toEqual([])
  await response.body?.cancel()
})

test('a page of the platform opens a stream with its ticket', async () => {
  const { body } = await send<{ data: { ticket: string } }>(TICKETS, { token: jwtToken, method: 'POST' })
  expect(await statusOf({ origin: webUrl }, `?ticket=${body.data.ticket}`)).toBe(101)
})
