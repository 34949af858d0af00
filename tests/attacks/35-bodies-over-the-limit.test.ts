import { gzipSync } from 'node:zlib'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, type RawOptions, sendRaw } from './raw-request.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const LIMIT_BYTES = 262_144
const LOGIN = '/api/v1/internal/user/login'
const TRADES = '/api/v1/trades/list'
let apiKey = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

/** JSON of this size, valid except for its overlong cursor. */
const bodyOf = (bytes: number): string => `{"cursor":"${'x'.repeat(bytes - 13)}"}`

function sendTo(target: string, framing: string[], body: string, options: RawOptions = {}) {
  const headers = ['content-type: application/json', ...framing]
  if (target === TRADES) headers.push(`authorization: Bearer ${apiKey}`)
  return sendRaw(gatewayUrl, rawRequest({ method: 'POST', target, headers }) + body, options)
}
const inChunks = (body: string): string =>
  `${(body.match(/.{1,65536}/g) ?? []).map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`

test.each([TRADES, LOGIN])('a body at the limit reaches the service, one byte more does not: %s', async (target) => {
  const fits = bodyOf(LIMIT_BYTES)
  expect((await sendTo(target, [`content-length: ${fits.length}`], fits)).statuses).toEqual([400])
  const tooLong = bodyOf(LIMIT_BYTES + 1)
  const { statuses, text } = await sendTo(target, [`content-length: ${tooLong.length}`], tooLong)
  expect(statuses).toEqual([413])
  expect(text).toContain('"code":"request.too_large"')
})

test.each([TRADES, LOGIN])('a body without content-length is cut off at the limit: %s', async (target) => {
  const framing = ['transfer-encoding: chunked']
  expect((await sendTo(target, framing, inChunks(bodyOf(LIMIT_BYTES)))).statuses).toEqual([400])
  expect((await sendTo(target, framing, inChunks(bodyOf(LIMIT_BYTES + 1)))).statuses).toEqual([413])
})

test.each([TRADES, LOGIN])(
  'a declared length above the limit is rejected before a byte is sent: %s',
  async (target) => {
    // The connection stays open for the announced body; the answer does not wait for it.
    const { statuses } = await sendTo(target, ['content-length: 9000000000'], '', { isEndedByAnswer: true })
    expect(statuses).toEqual([413])
  },
)

test('a compressed body is not decompressed', async () => {
  const packed = gzipSync(JSON.stringify({ venues: ['sim'], limit: 1 })).toString('latin1')
  const { statuses } = await sendTo(TRADES, ['content-encoding: gzip', `content-length: ${packed.length}`], packed)
  expect([400, 415]).toContain(statuses[0])
})
