import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { listKeysOf, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'apply-keys.mjs')
const platform = runningPlatform()
const { gatewayUrl } = platform
const folder = await mkdtemp(join(tmpdir(), 'keys-in-a-file-'))
afterAll(() => rm(folder, { recursive: true }))

type Line = { external_id: string; done: string; apiKey?: string }

async function apply(serviceKey: string, keys: object[], ...tags: string[]): Promise<Line[]> {
  const file = join(folder, 'keys.json')
  await writeFile(file, JSON.stringify(keys))
  const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_SERVICE_KEY: serviceKey }
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, file, ...tags], { env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

test('docs/examples/apply-keys.mjs brings the keys of an account to the state of a file, once and again', async () => {
  const owner = await signUpUser(gatewayUrl)
  await setLimits(platform, owner.user.id, {})
  const { body } = await send<{ data: CreatedKey }>(`${gatewayUrl}/api/v1/internal/api-keys`, {
    token: owner.jwtToken,
    body: { name: 'terraform', kind: 'service', scopes: ['keys:read', 'keys:write'] },
  })
  const serviceKey = body.data.apiKey
  const reader = { external_id: 'prod:reader', name: 'reader', tags: ['prod'], scopes: ['trades:read'] }
  const writer = { external_id: 'prod:books', name: 'books', tags: ['prod'], scopes: ['l2events:read'] }

  const [first, second] = await apply(serviceKey, [reader, writer])
  expect([first?.done, second?.done]).toEqual(['created', 'created'])
  expect((await listTrades(gatewayUrl, first?.apiKey ?? '')).status).toBe(200)

  const again = await apply(serviceKey, [{ ...reader, name: 'renamed' }, writer])
  expect(again.map(({ done, apiKey }) => [done, apiKey])).toEqual([
    ['kept', undefined],
    ['kept', undefined],
  ])
  const without = await apply(serviceKey, [writer], 'prod')
  expect(without.map(({ external_id, done }) => [external_id, done])).toEqual([
    ['prod:books', 'kept'],
    ['prod:reader', 'revoked'],
  ])
  const { apiKeys } = await listKeysOf(gatewayUrl, owner.jwtToken)
  expect(Object.fromEntries(apiKeys.map(({ name, status }) => [name, status]))).toEqual({
    books: 'active',
    renamed: 'revoked',
  })
  expect((await listTrades(gatewayUrl, first?.apiKey ?? '')).status).toBe(401)
})
