import { createKeyFor, listKeysOf, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { someUser } from '@tapeline/testing/actors'
import { signAs } from '@tapeline/testing/sign-as'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { DETAILS, fetchDetails } from './fetch-details.ts'

const { gatewayUrl, internalKeys } = runningPlatform()

let victim: TestAccount
let attacker: TestAccount
/** A valid token of the gateway: it must be removed because it comes from outside. */
let stolenActor = ''

beforeAll(async () => {
  victim = await signUpUser(gatewayUrl)
  attacker = await signUpUser(gatewayUrl)
  const actor = someUser({ userId: victim.user.id, role: 'admin', tier: 'pro' })
  stolenActor = signAs(internalKeys, { caller: 'gateway', audience: 'identity', actor })
})

const spellings = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll('-', '_'),
  name.replaceAll(/(^|-)(\w)/g, (part) => part.toUpperCase()),
]

test('the stolen token would be accepted by the service itself', async () => {
  const { serviceUrls } = runningPlatform()
  const reply = await send(serviceUrls.identity + DETAILS, { headers: { 'x-actor': stolenActor } })
  expect(reply.body).toMatchObject({ data: { user: { id: victim.user.id } } })
})

test.each(spellings('x-actor'))('the gateway removes its own token from client requests: %s', async (name) => {
  for (const headers of [
    [name, stolenActor],
    [name, stolenActor, name, stolenActor],
    ['x-actor', stolenActor, name, stolenActor],
  ]) {
    const { status, data } = await fetchDetails(gatewayUrl, attacker.jwtToken, headers)
    expect({ status, id: data.user.id, role: data.user.role }).toEqual({
      status: 200,
      id: attacker.user.id,
      role: 'user',
    })
    expect((await fetchDetails(gatewayUrl, undefined, headers)).status).toBe(401)
  }
})

test.each(['x-user-id', 'x-user-role', 'x-internal-user', 'x-forwarded-user', 'x-client-address'])(
  'an identity header is ignored in every spelling: %s',
  async (header) => {
    for (const name of spellings(header)) {
      const headers = [name, victim.user.id, name, 'admin']
      const { status, data } = await fetchDetails(gatewayUrl, attacker.jwtToken, headers)
      expect({ status, id: data.user.id, role: data.user.role }).toEqual({
        status: 200,
        id: attacker.user.id,
        role: 'user',
      })
      expect((await fetchDetails(gatewayUrl, undefined, headers)).status).toBe(401)
    }
  },
)

test('a second credential does not turn one caller into another', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, victim.jwtToken)
  const both = await fetchDetails(gatewayUrl, attacker.jwtToken, ['authorization', `Bearer ${victim.jwtToken}`])
  expect(both.data.user.id).toBe(attacker.user.id)
  expect((await fetchDetails(gatewayUrl, attacker.jwtToken, ['x-api-key', apiKey])).status).toBe(403)
  expect(
    (await fetchDetails(gatewayUrl, attacker.jwtToken, ['cookie', `jwtToken=${victim.jwtToken}`])).data.user.id,
  ).toBe(attacker.user.id)
  expect((await listKeysOf(gatewayUrl, attacker.jwtToken)).apiKeys).toEqual([])
})

test('clients cannot choose the request id', async () => {
  const forged = 'f'.repeat(32)
  const { headers } = await fetchDetails(gatewayUrl, attacker.jwtToken, [
    'x-request-id',
    forged,
    'traceparent',
    `00-${forged}-${'f'.repeat(16)}-01`,
  ])
  expect(headers['x-request-id']).not.toBe(forged)
})
