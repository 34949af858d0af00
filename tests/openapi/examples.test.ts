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
const isRecording = process.env['GOLDEN_UPDATE'] === '1'
const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
const tokens = { key: '', session: '', none: undefined as string | undefined }
let calls: readonly RecordedCall[] = []

beforeAll(async () => {
  const account = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, account.user.id, 'pro')
  const { apiKey, ids } = await prepareCalls(gatewayUrl, account)
  Object.assign(tokens, { key: apiKey, session: account.jwtToken })
  calls = callsToRecord(ids)
})

test('every example is an answer of the platform: the same fields, of the same types', async () => {
  if (isRecording) mkdirSync(FOLDER, { recursive: true })
  const wrong: string[] = []
  for (const call of calls) {
    const { id, path, method, body, credential } = call
    const token = tokens[credential]
    const answered = await send(`${gatewayUrl}${path}`, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
    })
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
  const text = JSON.stringify({ status, ...(body === undefined ? {} : { sent: body }), answered: shortened(answered) })
  writeFileSync(join(FOLDER, `${id}.json`), `${text.replaceAll(/"(tl_(?:live|test)_\w{12}_)\w+"/g, '"$1…"')}\n`)
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
