import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mutate, type Random, seededRandom } from '../../test/byte-mutations.fixture.ts'
import { GET, recordingHandler } from '../../test/raw-service.fixture.ts'
import { UpstreamPool } from './upstream-pool.ts'

const SEED = 20_261_123
const VALID_CASES = 400
const MUTATED_CASES = 3_000
const AT_A_TIME = 16
const TIMEOUT_MS = 240_000

type Outcome = { status: number; headers: string[]; body: string } | 'refused'

/**
 * Answers rejected by this client although Node's parser accepts them, because other programs could parse them
 * differently.
 */
const STRICTER: [why: string, applies: (head: string, text: string) => boolean][] = [
  ['a line that is folded, empty or has no name', (head) => /\n[\t :\r]/.test(head) || /\n[^:\n]*(\n|$)/.test(head)],
  ['a line that does not end with CR LF', (_head, text) => /(^|[^\r])\n|\r(?!\n)/.test(text)],
  ['a control character', (head) => /[^\t\r\n\x20-\x7e\x80-\xff]/.test(head)],
  ['a name that is not a token', (head) => /\n[^:\n]*[^!#$%&'*+\-.^_`|~0-9A-Za-z\n:][^:\n]*:/.test(head)],
  ['a status line other than HTTP/1.x with three digits', (head) => !/^HTTP\/1\.[01] [1-9]\d\d(?: .*)?\r\n/.test(head)],
  ['more than one length, or one of more than 15 digits', (head) => lengths(head).length > 1 || /\d{16}/.test(head)],
  ['a coding other than chunked, or twice', (head) => codings(head).some((coding) => coding !== 'chunked')],
  ['two codings', (head) => codings(head).length > 1],
  ['a length and chunks', (head) => lengths(head).length > 0 && codings(head).length > 0],
  ['a switch of protocols', (_head, text) => /HTTP\/1\.[01] 101/.test(text)],
  ['a chunk line that is not hexadecimal digits and a printable extension', (_head, text) => hasOddChunkLine(text)],
]

const lengths = (head: string) => head.match(/\ncontent-length[\t ]*:/gi) ?? []
const codings = (head: string) =>
  [...head.matchAll(/\ntransfer-encoding[\t ]*:[\t ]*([^\r\n]*)/gi)].map(([, value = '']) => value.trim().toLowerCase())
const hasOddChunkLine = (text: string) =>
  codings(text).length > 0 && !/\r\n\r\n(?:[\da-f]{1,8}[\t ]*(?:;[\t -~]*)?\r\n)/i.test(text)

let server: Server
let pool: UpstreamPool
let port = 0
const answers: string[] = []
const agent = new Agent({ keepAlive: false })

beforeAll(async () => {
  server = createServer(answerByPath).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  pool = new UpstreamPool({ url, connections: AT_A_TIME, connectTimeoutMs: 10_000, keepAliveMs: 60_000 })
})
afterAll(() => {
  pool.destroy()
  agent.destroy()
  server.close()
})

/** Every case uses its own connection, is split at a random byte, and closes the connection after its last byte. */
function answerByPath(socket: Socket): void {
  socket.setNoDelay(true).on('error', () => {})
  socket.once('data', (bytes) => {
    const number = Number(/^GET \/(\d+) /.exec(String(bytes))?.[1])
    const answer = Buffer.from(answers[number] ?? '', 'latin1')
    const cut = number % (answer.length + 1)
    socket.write(answer.subarray(0, cut))
    setImmediate(() => socket.end(answer.subarray(cut)))
  })
}

async function readByClient(number: number): Promise<Outcome> {
  const taken = recordingHandler()
  pool.dispatch({ ...GET, path: `/${number}` }, taken)
  return taken.answer.catch(() => 'refused' as const)
}

function readByNode(number: number): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const request = httpRequest({ host: '127.0.0.1', port, path: `/${number}`, agent })
  let response: IncomingMessage | undefined
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    resolve('refused')
  })
  request.on('response', (received) => {
    response = received
    let body = ''
    received.setEncoding('latin1').on('data', (text: string) => (body += text))
    received.on('error', () => resolve('refused'))
    received.on('close', () => resolve(received.complete ? { ...headOf(received), body } : 'refused'))
  })
  request.on('error', () => {
    if (response?.complete !== true) resolve('refused')
  })
  request.on('close', () => setImmediate(() => resolve('refused')))
  request.end()
  return promise
}

function headOf({ statusCode = 0, rawHeaders }: IncomingMessage): { status: number; headers: string[] } {
  return { status: statusCode, headers: rawHeaders.map((text, n) => (n % 2 === 0 ? text.toLowerCase() : text)) }
}

type Reading = { text: string; client: Outcome; node: Outcome }

async function readAll(texts: readonly string[]): Promise<Reading[]> {
  const first = answers.length
  answers.push(...texts)
  const readings: Reading[] = []
  for (let at = 0; at < texts.length; at += AT_A_TIME) {
    const batch = texts.slice(at, at + AT_A_TIME).map(async (text, n) => {
      const number = first + at + n
      const [client, node] = await Promise.all([readByClient(number), readByNode(number)])
      return { text, client, node }
    })
    readings.push(...(await Promise.all(batch)))
  }
  return readings
}

function validAnswer({ below, pick }: Random): string {
  const status = pick([200, 201, 204, 304, 400, 404, 429, 500, 503])
  const headers = Array.from(
    { length: below(5) },
    (_, n) => `${pick(['X-A', 'etag', 'Via'])}${n}: ${pick(['1', 'a b', '"q"', ''])}\r\n`,
  )
  const interim = below(6) === 0 ? 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n' : ''
  const body = 'abcdefghij\r\n\0ÿ'.repeat(below(40)).slice(below(3))
  const line = `${interim}HTTP/1.1 ${status} ${pick(['OK', '', 'A reason'])}\r\n${headers.join('')}`
  if (status === 204 || status === 304) return `${line}\r\n`
  switch (below(3)) {
    case 0:
      return `${line}Content-Length: ${body.length}\r\n\r\n${body}`
    case 1:
      return `${line}\r\n${body}`
    default:
      return `${line}Transfer-Encoding: ${pick(['chunked', 'Chunked'])}\r\n\r\n${inChunks(body, { below, pick })}`
  }
}

function inChunks(body: string, { below, pick }: Random): string {
  let text = ''
  for (let at = 0; at < body.length;) {
    const size = Math.min(body.length - at, 1 + below(60))
    text += `${size.toString(16).padStart(1 + below(3), '0')}${pick(['', ';a=b', ';x'])}\r\n${body.slice(at, at + size)}\r\n`
    at += size
  }
  return `${text}0\r\n${pick(['', 'x-trailer: 1\r\n'])}\r\n`
}

const headIn = (text: string) =>
  text.slice(0, text.indexOf('\r\n\r\n') === -1 ? text.length : text.indexOf('\r\n\r\n') + 2)

test(
  'answers that follow the standard are read as by Node, however they are framed',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = seededRandom(SEED)
    const readings = await readAll(Array.from({ length: VALID_CASES }, () => validAnswer(random)))
    for (const { text, client, node } of readings) {
      expect(client, JSON.stringify(text)).toEqual(node)
      expect(client, JSON.stringify(text)).not.toBe('refused')
    }
  },
)

test(
  'a damaged answer is parsed as by Node, or rejected for a documented reason',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = seededRandom(SEED + 1)
    const readings = await readAll(Array.from({ length: MUTATED_CASES }, () => mutate(random, validAnswer(random))))
    const disagreements = readings.filter(({ text, client, node }) => {
      if (client === 'refused')
        return node !== 'refused' && !STRICTER.some(([, applies]) => applies(headIn(text), text))
      return node === 'refused' || JSON.stringify(client) !== JSON.stringify(node)
    })
    expect(disagreements).toEqual([])
    expect(readings.filter(({ client }) => client !== 'refused').length).toBeGreaterThan(MUTATED_CASES / 10)
    expect(readings.filter(({ client }) => client === 'refused').length).toBeGreaterThan(MUTATED_CASES / 10)
  },
)
