import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../test/account.fixture.ts'
import { type Random, seededRandom } from '../../test/byte-mutations.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

const SEED = 20_261_123
const CASES = 400
const AT_A_TIME = 8
const TIMEOUT_MS = 240_000
const LIST = '/api/v1/trades/list'
const BODY = '{"venues":["sim"]}'

let edge: Edge
let gateway: TestGateway
let apiKey = ''
/** Requests that reached the service, by the id of their case. */
const reached = new Map<string, number>()

beforeAll(async () => {
  edge = await startEdge()
  edge.upstream = (request, reply) => {
    const mark = String(request.headers['x-mark'])
    reached.set(mark, (reached.get(mark) ?? 0) + 1)
    request.resume()
    setTimeout(
      () => reply.writeHead(200, { 'content-type': 'application/json' }).end('0123456789'),
      Number(request.headers['x-wait']),
    )
  }
  gateway = await startTestGateway(edge, { CLIENT_CONNECTIONS_MAX: '100' })
  apiKey = addAccount(edge).apiKey
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const lines = (...all: string[]) => [...all, '', ''].join('\r\n')
const validRequest = (mark: string, random: Random): string => {
  const wait = `x-wait: ${random.pick([0, 0, 5])}`
  const own = ['host: localhost', `x-api-key: ${apiKey}`, `x-mark: ${mark}`, wait]
  return random.pick([
    lines(`GET ${LIST} HTTP/1.1`, ...own),
    lines(`POST ${LIST} HTTP/1.1`, ...own, `content-length: ${BODY.length}`) + BODY,
    `${lines(`POST ${LIST} HTTP/1.1`, ...own, 'transfer-encoding: chunked')}12\r\n${BODY}\r\n0\r\n\r\n`,
  ])
}
/** None of these may reach the service, and no bytes after one may be read. */
const BAD: [status: number, text: string][] = [
  [400, 'nonsense\r\n\r\n'],
  [400, lines(`GET ${LIST} HTTP/1.1`)],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host: a', 'host: b')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host: a, b')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host: user@a')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host:')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host: a/b')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host : a')],
  [400, lines(`GET ${LIST} HTTP/1.1`, 'host: a', ' folded: b')],
  [400, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'content-length: 1', 'transfer-encoding: chunked')],
  [400, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'content-length: 1', 'content-length: 2')],
  [400, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'content-length: +1')],
  [501, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'transfer-encoding: gzip, chunked')],
  [501, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'transfer-encoding: xchunked')],
  [501, lines(`POST ${LIST} HTTP/1.1`, 'host: a', 'transfer-encoding: chunked, identity')],
  [431, lines(`GET ${LIST} HTTP/1.1`, 'host: a', `x-long: ${'x'.repeat(20_000)}`)],
]

type Case = { mark: string; bytes: string; validRequests: number; status: number }

function newCase(number: number, random: Random): Case {
  const mark = `case-${number}`
  const validRequests = random.below(4)
  const before = Array.from({ length: validRequests }, () => validRequest(mark, random)).join('')
  const [status, bad] = random.pick(BAD)
  return { mark, validRequests, status, bytes: before + bad + validRequest(mark, random) }
}

async function send({ bytes }: Case, random: Random): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = socketClosed(socket)
  const cut = random.below(bytes.length)
  socket.write(bytes.slice(0, cut), 'latin1')
  setTimeout(() => socket.write(bytes.slice(cut), 'latin1'), random.below(8))
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

/** Statuses of consecutive complete answers; throws if there is anything else, such as an answer inside another. */
function statusesOf(text: string): number[] {
  const statuses: number[] = []
  for (let remaining = text; remaining !== '';) {
    const [, head = '', status] =
      /^(HTTP\/1\.1 (\d{3}) [^\r\n]+\r\n(?:[\w-]+: [^\r\n]*\r\n)+\r\n)/.exec(remaining) ?? []
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1])
    const body = remaining.slice(head.length, head.length + length)
    if (status === undefined || body.length !== length)
      throw new Error(`not a whole answer: ${JSON.stringify(remaining)}`)
    if (status === '200' ? body !== '0123456789' : JSON.parse(body).success !== false) throw new Error(body)
    statuses.push(Number(status))
    remaining = remaining.slice(head.length + length)
  }
  return statuses
}

test(
  'answers to pipelined requests are whole, in order, and end with the first bad request',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = seededRandom(SEED)
    const cases = Array.from({ length: CASES }, (_, number) => newCase(number, random))
    const refused = new Map<number, number>()
    for (let at = 0; at < cases.length; at += AT_A_TIME) {
      const batch = cases.slice(at, at + AT_A_TIME).map(async (one) => {
        const statuses = statusesOf(await send(one, random))
        const answered = statuses.filter((status) => status === 200).length
        const shown = JSON.stringify([one.bytes, statuses])
        expect(answered, shown).toBeLessThanOrEqual(one.validRequests)
        // With an answer pending the connection ends without a refusal.
        expect([[], [one.status]], shown).toContainEqual(statuses.slice(answered))
        if (statuses.includes(one.status)) {
          expect(answered, shown).toBe(one.validRequests)
          refused.set(one.status, (refused.get(one.status) ?? 0) + 1)
        } else expect(one.validRequests, shown).toBeGreaterThan(0)
        expect(reached.get(one.mark) ?? 0, shown).toBeLessThanOrEqual(one.validRequests)
      })
      await Promise.all(batch)
    }
    expect(new Set(refused.keys())).toEqual(new Set([400, 431, 501]))
  },
)
