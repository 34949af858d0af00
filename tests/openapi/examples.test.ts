import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signUpUser } from '@tapeline/testing/api-client'
import { differences } from '@tapeline/testing/answers/differences'
import { callOperator } from '@tapeline/testing/operator'
import { setTier } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { makeCall, type Values } from './make-call.ts'
import { callsToRecord, prepareCalls } from './recorded-calls.ts'

// The examples of the OpenAPI document are recorded here (GOLDEN_UPDATE=1), and compared with the platform's current
// responses.
const FOLDER = join(import.meta.dirname, '../../gateway/golden/examples')
const TOKENS = ['jwtToken', 'refreshToken', 'deviceToken', 'token', 'secret', 'ticket', 'device_code', 'auth', 'p256dh']
const SECRETS = new Set([...TOKENS, 'password', 'currentPassword', 'newPassword'])
const SECRET_CHARACTERS = 6
const HOUR_MS = 3_600_000
const CALLS_WITHIN_MS = 300_000
const isRecording = process.env['GOLDEN_UPDATE'] === '1'
const platform = runningPlatform()
const calls = callsToRecord()
const values: Values = {}

beforeAll(async () => {
  const { gatewayUrl } = platform
  const [account, admin] = [await signUpUser(gatewayUrl), await signUpUser(gatewayUrl)]
  await setTier(platform, account.user.id, 'pro')
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', admin.user.id, 'admin').finally(operator.close)
  const prepared = await prepareCalls(gatewayUrl, account)
  const now = new Date()
  Object.assign(values, prepared.values, {
    'token of key': prepared.apiKey,
    'token of session': account.jwtToken,
    'token of admin': admin.jwtToken,
    email: account.email,
    password: account.password,
    refresh: account.refreshToken,
    month: now.toISOString().slice(0, 'YYYY-MM'.length),
    hourAgo: new Date(now.getTime() - HOUR_MS).toISOString(),
  })
  for (const name of ['guestEmail', 'otherEmail', 'newEmail']) values[name] = `${crypto.randomUUID()}@example.com`
  for (const name of ['firstPassword', 'secondPassword', 'thirdPassword']) values[name] = `Pw-${crypto.randomUUID()}`
})

test(
  'every example is an answer of the platform: the same fields, of the same types',
  { timeout: CALLS_WITHIN_MS },
  async () => {
    if (isRecording) mkdirSync(FOLDER, { recursive: true })
    const wrong: string[] = []
    for (const call of calls) {
      const { sent, status, answered } = await makeCall(platform.gatewayUrl, call, values)
      const shown = { status, sent, answered: narrowed(answered, call.keeps) }
      if (status >= 300) wrong.push(`${call.id}: ${status} ${JSON.stringify(answered)}`)
      else if (call.isPreparation) continue
      else if (isRecording) record(call.id, shown)
      else wrong.push(...differences(read(call.id).answered, shown.answered).map((text) => `${call.id} ${text}`))
    }
    expect(wrong).toEqual([])
  },
)

test('every recorded file belongs to a call', () => {
  const recorded = calls.filter(({ isPreparation }) => isPreparation !== true).map(({ id }) => `${id}.json`)
  expect(readdirSync(FOLDER).toSorted()).toEqual(recorded.toSorted())
})

function record(id: string, { status, sent, answered }: { status: number; sent: unknown; answered: unknown }): void {
  const example = { status, ...(sent === undefined ? {} : { sent }), answered: shortened(answered) }
  writeFileSync(join(FOLDER, `${id}.json`), `${JSON.stringify(example, redacted)}\n`)
}

/** Only these entries of `data`: the others depend on what else uses the platform. */
function narrowed(answered: unknown, itemsKept: readonly string[] | undefined): unknown {
  if (itemsKept === undefined) return answered
  const { data, ...rest } = Object(answered) as { data?: Record<string, unknown> }
  return { ...rest, data: Object.fromEntries(itemsKept.map((name) => [name, data?.[name]])) }
}

/** Secrets are truncated to show their form. Addresses are replaced by documentation addresses. */
function redacted(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (SECRETS.has(name)) return `${value.slice(0, SECRET_CHARACTERS)}…`
  const named = value.replace(/[\w-]+@example[.]com/, 'ada@example.com').replace(/localhost:\d+/, 'localhost:3000')
  return named.replaceAll(/\b(tl_(?:live|test|svc)_\w{12}_)\w+/g, '$1…')
}

/** Shortens lists to the first object or the first two other values, because an example only shows the shape. */
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
