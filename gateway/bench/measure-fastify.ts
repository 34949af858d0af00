import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { createMatch } from '../src/routing/match-route.ts'
import type { Route } from '../src/routing/route.ts'
import { routeTable } from '../src/routing/route-table.ts'

// What Fastify's router, one hook and `reply.hijack()` cost per request beside the gateway's own listener and route match:
// `node gateway/bench/measure-fastify.ts [rounds] [seconds]`. Processor time of the server process, interleaved rounds.

type Mode = 'listener' | 'fastify'
type Served = { micros: number; requests: number }

const MODES: readonly Mode[] = ['listener', 'fastify']
const CONNECTIONS = 32
const WARM_UP_MS = 2_000
const MICROS_DIGITS = 2
const REQUEST = 'POST /api/v1/trades/list HTTP/1.1\r\nhost: x\r\nx-api-key: tl_test_0\r\ncontent-length: 0\r\n\r\n'
const BODY = JSON.stringify({ data: 'x'.repeat(1_000) })

const [, , argument = '5', seconds = '5'] = process.argv
if (argument === 'listener' || argument === 'fastify') await serve(argument)
else await compare(Number(argument), Number(seconds) * 1_000)

async function compare(rounds: number, roundMs: number): Promise<void> {
  const costs = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]))
  for (let round = 0; round < rounds; round += 1) {
    const modes = round % 2 === 0 ? MODES : MODES.toReversed()
    for (const mode of modes) costs.get(mode)?.push(await costOf(mode, roundMs))
  }
  for (const [mode, micros] of costs) {
    print(`${mode}: ${micros.map(rounded).join(' ')} µs per request, median ${rounded(median(micros))}`)
  }
  const [own, framework] = [costs.get('listener') ?? [], costs.get('fastify') ?? []]
  print(`difference, median of rounds: ${rounded(median(own.map((micros, n) => (framework[n] ?? 0) - micros)))} µs`)
}

async function costOf(mode: Mode, roundMs: number): Promise<number> {
  const server = fork(import.meta.filename, [mode])
  const [port] = await once(server, 'message')
  const sockets = Array.from({ length: CONNECTIONS }, () => load(Number(port)))
  await delay(WARM_UP_MS)
  const before = await served(server)
  await delay(roundMs)
  const after = await served(server)
  for (const socket of sockets) socket.destroy()
  server.kill()
  return (after.micros - before.micros) / (after.requests - before.requests)
}

async function served(server: ChildProcess): Promise<Served> {
  server.send('report')
  const [report]: [Served] = (await once(server, 'message')) as [Served]
  return report
}

/** The next request follows each whole answer: every answer ends with the body's end. */
function load(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  socket.on('connect', () => socket.write(REQUEST))
  socket.on('data', (bytes) => {
    if (bytes.at(-1) === BODY.charCodeAt(BODY.length - 1)) socket.write(REQUEST)
  })
  return socket
}

async function serve(mode: Mode): Promise<void> {
  let requests = 0
  const answer = (reply: ServerResponse, route: Route | undefined): void => {
    requests += 1
    reply.writeHead(route === undefined ? 404 : 200, [
      'content-type',
      'application/json',
      'content-length',
      `${BODY.length}`,
    ])
    reply.end(BODY)
  }
  const port = mode === 'listener' ? await listen(answer) : await listenWithFastify(answer)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ micros: user + system, requests } satisfies Served)
  })
  process.send?.(port)
}

type Answer = (reply: ServerResponse, route: Route | undefined) => void

async function listen(answer: Answer): Promise<number> {
  const match = createMatch(routeTable)
  const server = createServer((request: IncomingMessage, reply) => answer(reply, match(request.url ?? '/')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portIn(server.address())
}

async function listenWithFastify(answer: Answer): Promise<number> {
  const app = Fastify({ logger: false })
  app.addHook('onRequest', (_request, _reply, done) => done())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const route of routeTable) {
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: route.pattern,
      handler(_request, reply) {
        reply.hijack()
        answer(reply.raw, route)
      },
    })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  return portIn(app.server.address())
}

function portIn(address: unknown): number {
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function rounded(value: number): string {
  return value.toFixed(MICROS_DIGITS)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
