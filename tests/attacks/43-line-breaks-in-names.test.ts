import { readFileSync } from 'node:fs'
import { listKeysOf, send, signUpUser } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl, logFile } = runningPlatform()
const MARK = `mark-${crypto.randomUUID()}`
const FORGED = `{"level":"error","msg":"${MARK}"}`
/** CR LF, its parts, and characters that some programs treat as line breaks. */
const BREAKS = ['\r\n', '\n', '\r', '\u0000', '\u000b', '\u000c', '\u001b[2J', '\u0085', '\u2028', '\u2029', '\u009b2J']

let token = ''

beforeAll(async () => {
  token = (await signUpUser(gatewayUrl)).jwtToken
})

test('a key’s name is one line', async () => {
  for (const lineBreak of BREAKS) {
    const body = { name: `key${lineBreak}${FORGED}` }
    const reply = await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token, body })
    expect(reply.body, JSON.stringify(lineBreak)).toMatchObject({ status: 400, errors: [{ field: '/name' }] })
  }
  expect((await listKeysOf(gatewayUrl, token)).apiKeys).toEqual([])
})

test.each(['first_name', 'last_name', 'mobile', 'email'])('a person’s %s is one line', async (name) => {
  for (const lineBreak of BREAKS) {
    const person = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: `${crypto.randomUUID()}@example.com`,
      password: `pw-${crypto.randomUUID()}`,
      mobile: '+1',
    }
    const value = name === 'email' ? `a@example.com${lineBreak}Bcc: x@example.com` : `Ada${lineBreak}Bcc: x@example.com`
    const url = `${gatewayUrl}/api/v1/internal/user/create`
    const reply = await send(url, { method: 'PUT', body: { ...person, [name]: value } })
    expect(reply.body, JSON.stringify(lineBreak)).toMatchObject({ status: 400, errors: [{ field: `/${name}` }] })
  }
})

test.each(['name', 'email', 'topic'])(
  'a message’s %s to the operator is one line, as it ends in a mail',
  async (name) => {
    for (const lineBreak of BREAKS) {
      const message = { name: 'Ada', email: 'ada@example.com', topic: 'other', message: 'Hello' }
      const value =
        name === 'email' ? `a@example.com${lineBreak}Bcc: x@example.com` : `other${lineBreak}Bcc: x@example.com`
      const reply = await send(`${gatewayUrl}/api/v1/contact`, { body: { ...message, [name]: value } })
      expect(reply.body, JSON.stringify(lineBreak)).toMatchObject({ status: 400, errors: [{ field: `/${name}` }] })
    }
    const well = { name: 'Ada', email: 'ada@example.com', message: 'Two\r\nlines\nof text' }
    expect((await send(`${gatewayUrl}/api/v1/contact`, { body: well })).status).toBe(200)
  },
)

test('an encoded line break in a URL adds no header and no log line', async () => {
  const injected = `%0d%0ax-injected:%201%0d%0a${encodeURIComponent(FORGED)}`
  for (const target of [`/${injected}`, `/api/v1/sample/${injected}`, `/api/v1/internal/api-keys/${injected}`]) {
    const { text } = await sendRaw(
      gatewayUrl,
      rawRequest({ method: 'GET', target, headers: [`authorization: Bearer ${token}`] }),
    )
    expect(text).not.toMatch(/^x-injected/im)
  }
  const lines = readFileSync(logFile, 'utf8').split('\n')
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => line.includes(MARK) && line.includes('"msg":"mark-'))).toEqual([])
})
