import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { differences } from '@tapeline/testing/answers/differences'
import { setTier } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { callsToRecord, prepareCalls, type RecordedCall } from './recorded-calls.ts'

// The examples of the OpenAPI document are recorded here (GOLDEN_UPDATE=1), and compared with what the platform answers now.
const FOLDER = join(import.meta.dirname, '../../gateway/golden/examples')
const SECRETS = new Set(['jwtToken', 'refreshToken', 'secret', 'ticket', 'device_code', 'password', 'auth', 'p256dh'])
const SECRET_CHARACTERS = 6
const isRecording = process.env['GOLDEN_UPDATE'] === '1'
const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
const tokens = { key: '', session: '', none: undefined as string | undefined }
const calls = callsToRecord()
const values: Record<string, string> = {}

beforeAll(async () => {
  const account = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, account.user.id, 'pro')
  const prepared = await prepareCalls(gatewayUrl, account)
  Object.assign(tokens, { key: prepared.apiKey, session: account.jwtToken })
  Object.assign(values, prepared.values, {
    email: account.email,
    password: account.password,
    refresh: account.refreshToken,
  })
})

test('every example is an answer of the platform: the same fields, of the same types', async () => {
  if (isRecording) mkdirSync(FOLDER, { recursive: true })
  const wrong: string[] = []
  for (const call of calls) {
    const { id, path, method, body, credential, saves = {} } = call
    const token = tokens[credential]
    const answered = await send(`${gatewayUrl}${filled(path)}`, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) }),
      ...(token === undefined ? {} : { token }),
    })
    for (const [name, field] of Object.entries(saves)) values[name] = String(fieldOf(answered.body, field))
    if (answered.status >= 300) wrong.push(`${id}: ${answered.status} ${JSON.stringify(answered.body)}`)
    else if (isRecording) record(call, answered.status, answered.body)
    else wrong.push(...differences(read(id).answered, answered.body).map((text) => `${id} ${text}`))
  }
  expect(wrong).toEqual([])
})

test('every recorded file belongs to a call', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(calls.map(({ id }) => `${id}.json`).toSorted())
})

function record({ id, body }: RecordedCall, status: number, answered: unknown): void {
  const sent = body === undefined ? {} : { sent: JSON.parse(filled(JSON.stringify(body))) }
  const text = JSON.stringify({ status, ...sent, answered: shortened(answered) }, redacted)
  writeFileSync(join(FOLDER, `${id}.json`), `${text}\n`)
}

/** Secrets are cut: an example shows their form. Addresses are those of the documentation. */
function redacted(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (SECRETS.has(name)) return `${value.slice(0, SECRET_CHARACTERS)}…`
  const named = value.replace(/[\w-]+@example[.]com/, 'ada@example.com').replace(/localhost:\d+/, 'localhost:3000')
  return named.replaceAll(/\b(tl_(?:live|test|svc)_\w{12}_)\w+/g, '$1…')
}

function filled(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

function fieldOf(answered: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => Object(value)[name], answered)
}

/** The first of a list of objects, the first two of others: an example shows a shape. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, isObject(value[0]) ? 1 : 2).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function read(id: string): { answered: unknown } {
  return JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as { answered: unknown }
}
