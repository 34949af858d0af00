import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl } = runningPlatform()
const TARGET = '/api/v1/trades/list'
const BODY = '{"venues":["sim"],"limit":1}'
/** Answered with 200 and a marker, if it is ever treated as a separate request. */
const SMUGGLED = 'GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n'

let credential = ''

beforeAll(async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  credential = `authorization: Bearer ${(await createKeyFor(gatewayUrl, jwtToken)).apiKey}`
})

const post = (framing: string[], body: string): string =>
  [
    `POST ${TARGET} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    credential,
    ...framing,
    '',
    body,
  ].join('\r\n')
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

async function expectRefusedOnce(bytes: string, status = 400): Promise<void> {
  const { statuses, text } = await sendRaw(gatewayUrl, bytes)
  expect(statuses, text).toEqual([status])
  expect(text).toMatch(/\r\nconnection: close\r\n/i)
  const code = status === 501 ? 'request.transfer_encoding_unsupported' : 'request.invalid'
  expect(text).toContain(`"code":"${code}"`)
}

test('the same request with one length, or in chunks, is answered', async () => {
  for (const [framing, body] of [
    [[`content-length: ${BODY.length}`, 'connection: close'], BODY],
    [['transfer-encoding: chunked', 'connection: close'], chunk(BODY)],
  ] as const) {
    expect((await sendRaw(gatewayUrl, post([...framing], body))).statuses).toEqual([200])
  }
  const two = rawRequest({ method: 'GET', target: '/api/v1/health' }).replace('connection: close\r\n', '')
  const reused = await sendRaw(gatewayUrl, two + rawRequest({ method: 'GET', target: '/api/v1/health' }))
  expect(reused.statuses).toEqual([200, 200])
})

test.each([
  ['length before chunks', ['content-length: 4', 'transfer-encoding: chunked']],
  ['chunks before length', ['transfer-encoding: chunked', 'content-length: 4']],
  ['two lengths', ['content-length: 28', 'content-length: 4']],
  ['the same length twice', ['content-length: 28', 'content-length: 28']],
  ['lengths in one line', ['content-length: 28, 28']],
  ['a length with a sign', ['content-length: +28']],
  ['a length in hexadecimal', ['content-length: 0x1c']],
  ['a length that is empty', ['content-length:']],
  ['a length beyond the safe integer range', ['content-length: 99999999999999999999999']],
  ['a negative length', ['content-length: -1']],
  ['a control character before chunked', ['transfer-encoding: \u000bchunked']],
  ['a blank before the colon of a length', ['content-length : 28']],
  ['a blank before the colon of a coding', ['content-length: 28', 'transfer-encoding : chunked']],
  ['a header that is folded', ['content-length: 28', 'x-folded: one', ' two']],
  ['a coding that is folded', ['transfer-encoding:', ' chunked']],
  ['a blank before the first header’s name', [' content-length: 28']],
  ['a NUL in a header', ['content-length: 28', 'x-nul: a\u0000b']],
  ['a bare CR in a header', ['content-length: 28', 'x-bare: a\rtransfer-encoding: chunked']],
  ['a header without a colon', ['content-length: 28', 'x-nothing']],
])('a request whose end is ambiguous is rejected, and the connection is closed: %s', async (_what, framing) => {
  await expectRefusedOnce(post(framing, `${chunk(BODY)}${SMUGGLED}`))
})

test.each([
  ['an unknown one', ['transfer-encoding: xchunked']],
  ['another one before chunked', ['transfer-encoding: gzip, chunked']],
  ['another one after chunked', ['transfer-encoding: chunked, identity']],
  ['two in two lines', ['transfer-encoding: chunked', 'transfer-encoding: identity']],
  ['chunked twice', ['transfer-encoding: chunked', 'transfer-encoding: chunked']],
])(
  'a transfer coding other than chunked alone is rejected, and the connection is closed: %s',
  async (_what, framing) => {
    await expectRefusedOnce(post(framing, `${chunk(BODY)}${SMUGGLED}`), 501)
  },
)

test.each([
  ['after every line', (text: string) => text.replaceAll('\r\n', '\n')],
  ['after the request line', (text: string) => text.replace('\r\n', '\n')],
  ['after a header', (text: string) => text.replace('host: localhost\r\n', 'host: localhost\n')],
  ['before the body', (text: string) => text.replace('\r\n\r\n', '\r\n\n')],
])('a bare LF ends nothing: %s', async (_where, spoil) => {
  await expectRefusedOnce(spoil(post([`content-length: ${BODY.length}`], BODY)) + SMUGGLED)
})

test.each([
  ['is not a number', `zz\r\n${BODY}\r\n0\r\n\r\n`],
  ['has a sign', `-1\r\n${BODY}\r\n0\r\n\r\n`],
  ['is beyond counting', `fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`],
  ['ends with a bare LF', `${BODY.length.toString(16)}\n${BODY}\r\n0\r\n\r\n`],
  ['is shorter than the chunk', `4\r\n${BODY}\r\n0\r\n\r\n`],
  ['has a bare LF in its extension', `1c;a\n${BODY}\r\n0\r\n\r\n`],
])('after a chunk whose size %s, the connection is closed', async (_what, body) => {
  const { statuses, text } = await sendRaw(gatewayUrl, post(['transfer-encoding: chunked'], body + SMUGGLED))
  expect(statuses, text).toEqual([400])
})

test('a request without a host, with two, or of another protocol is rejected', async () => {
  for (const bytes of [
    'GET /api/v1/health HTTP/1.1\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\nhost: a.example\r\nhost: b.example\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\nhost: a.example, b.example\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\nhost: user@a.example\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\nhost: a.example/path\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\nhost:\r\n\r\n',
    'GET /api/v1/health HTTP/1.2\r\nhost: x\r\n\r\n',
    'GET /api/v1/health\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]) {
    const { statuses } = await sendRaw(gatewayUrl, bytes + SMUGGLED)
    expect(statuses).toHaveLength(1)
    expect([400, 505]).toContain(statuses[0])
  }
})

test('an unexpected body is not parsed as the next request', async () => {
  const health = `GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${SMUGGLED.length}\r\n\r\n`
  expect((await sendRaw(gatewayUrl, health + SMUGGLED)).statuses).toEqual([200])
  const reply = await send(`${gatewayUrl}/api/v1/health`)
  expect(reply.status).toBe(200)
})
