import { createKeyFor, listTrades, send, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { comparableResponse } from './comparable-response.ts'

const COUNTED_WITHIN_MS = 60_000
const { gatewayUrl } = runningPlatform()
const AUDIT = `${gatewayUrl}/api/v1/internal/apikeyaudit`

test.each(['dashboard-metrics', 'api-key-usage', 'usage-breakdown'])(
  'the usage of another account’s key cannot be read: %s',
  async (call) => {
    const owner = await signUpUser(gatewayUrl)
    const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken)
    await listTrades(gatewayUrl, apiKey)
    const isCounted = async () => (await usageOf(gatewayUrl, owner.jwtToken)).total === 1
    await waitUntil('the request is counted', isCounted, COUNTED_WITHIN_MS)
    const { jwtToken: token } = await signUpUser(gatewayUrl)
    const read = (id: string, as: string) => send(`${AUDIT}/${call}?apiKeyId=${id}`, { token: as })
    const foreign = await read(key.id, token)
    expect(foreign.status).toBe(404)
    expect(comparableResponse(foreign)).toEqual(comparableResponse(await read(crypto.randomUUID(), token)))
    expect((await read(key.id, owner.jwtToken)).body).toMatchObject({ data: { total: 1 } })
    const twice = await send(`${AUDIT}/${call}?apiKeyId=${key.id}&apiKeyId=${key.id}`, { token })
    expect([400, 404]).toContain(twice.status)
    const { body } = await send(`${AUDIT}/${call}`, { token })
    expect(body).toMatchObject({ data: { total: 0 } })
  },
)
