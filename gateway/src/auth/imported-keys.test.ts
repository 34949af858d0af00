import { importedKeyHash, importedKid } from '@tapeline/service/keys/imported-key'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { parseForeignKey } from './parse-key.ts'

const TRADES = '/api/v1/trades/list'
let edge: Edge
let gateway: TestGateway
beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

/** A key of another gateway, whose hash the account has imported. */
function importedKey(key: string): string {
  const sha256 = importedKeyHash(key)
  addKey(edge, addAccount(edge), { kid: importedKid(sha256), secret_sha256: sha256.toString('hex') })
  return key
}

async function send(headers: Record<string, string>) {
  const response = await fetch(gateway.url + TRADES, { method: 'POST', headers, body: '{}' })
  const { code }: { code?: string } = response.ok ? {} : JSON.parse(await response.text())
  return { status: response.status, code }
}

test.each([
  ['Unkey', `acme_${crypto.randomUUID().replaceAll('-', '')}`],
  ['Kong', crypto.randomUUID().replaceAll('-', '')],
  ['Tyk', Buffer.from(JSON.stringify({ org: '5e9d', id: crypto.randomUUID(), h: 'sha256' })).toString('base64')],
])('a key that %s issued works after its hash was imported, in both headers', async (_from, text) => {
  const key = importedKey(text)
  for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
    expect((await send(headers)).status).toBe(200)
  }
})

test('a key that was not imported, and one that differs by a character, are wrong credentials', async () => {
  const key = importedKey(`acme_${crypto.randomUUID()}`)
  for (const wrong of [`acme_${crypto.randomUUID()}`, `${key}0`, key.toUpperCase()]) {
    expect(await send({ authorization: `Bearer ${wrong}` })).toEqual({ status: 401, code: 'credential.invalid' })
  }
})

test('short keys, keys with spaces and malformed keys of this platform are not looked up', () => {
  const [short, long] = ['a'.repeat(15), 'a'.repeat(201)]
  for (const text of [
    short,
    long,
    'a key of another gateway',
    'tl_live_000000000000_00000000',
    'ключ-другого-шлюза-1',
  ]) {
    expect(parseForeignKey(text)).toBeUndefined()
  }
})
