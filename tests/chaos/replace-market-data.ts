import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Field, RunningLoad } from './drill.ts'

/** The calls of drills; others, such as that for the public sample, are answered and not counted. */
const COUNTED_PATH = '/api/v1/trades/list'

export type Arrival = {
  reply: ServerResponse
  /** Requests in flight, this one included. */
  inFlight: number
  /** Answers 200; from then on the request is not in flight, because the gateway may have the answer. */
  answer: () => void
}
export type ReplacedService = RunningLoad & {
  /** Ids of the requests that arrived, in order; a retry repeats its id. */
  readonly received: string[]
  inFlight: () => number
  /** Highest number of requests in flight at once. */
  mostInFlight: () => number
}

/** Routes the market-data requests of all gateways to a test server that responds as `onArrival` decides, until `stop`. */
export async function replaceMarketData(
  { wires: { marketData }, platform, loads }: Field,
  onArrival: (arrival: Arrival) => void,
): Promise<ReplacedService> {
  const received: string[] = []
  let [inFlight, most] = [0, 0]
  const server = createServer((request, reply) => {
    request.resume()
    if (request.url !== COUNTED_PATH) {
      reply.end('{}')
      return
    }
    received.push(String(request.headers['x-request-id']))
    inFlight += 1
    most = Math.max(most, inFlight)
    let hasEnded = false
    const end = () => {
      if (!hasEnded) inFlight -= 1
      hasEnded = true
    }
    reply.on('close', end)
    const answer = () => {
      end()
      reply.end('{}')
    }
    onArrival({ reply, inFlight, answer })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  /** Only new connections lead to another server. */
  const pointAt = (url: string) => {
    marketData.pointAt(url)
    marketData.setFault('reset')
    marketData.setFault('pass')
  }
  pointAt(`http://127.0.0.1:${address.port}`)
  const replaced = {
    received,
    inFlight: () => inFlight,
    mostInFlight: () => most,
    async stop() {
      if (!server.listening) return
      pointAt(platform.serviceUrls['market-data'])
      server.closeAllConnections()
      server.close()
    },
  }
  loads.push(replaced)
  return replaced
}
