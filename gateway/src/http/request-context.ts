import { randomFillSync } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AccountPlan } from '../limiter/account-plan.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import { type ClientAddress, networkOf, throttleAddress } from './client-address.ts'
import type { Decision } from '../usage/decision.ts'
import type { ResponseDeps } from './response-deps.ts'
import { ResponseWriter } from './response-writer.ts'
import type { Route } from '../routing/route.ts'
import type { Switching } from '../stream/websocket-transport.ts'

/** A request as this server creates it: it references its context, so that no closure is needed per request. */
export class GatewayRequest extends IncomingMessage {
  context: RequestContext | undefined
  /** The connection is to switch to WebSocket. */
  switching: Switching | undefined
}
export class GatewayResponse extends ServerResponse<GatewayRequest> {}

/**
 * The answer that is being written to the connection, if any. Node keeps it in `_httpMessage`, and decides by it in its own default
 * handler.
 */
export function pendingReply(socket: Socket): GatewayResponse | undefined {
  return '_httpMessage' in socket && socket._httpMessage instanceof GatewayResponse ? socket._httpMessage : undefined
}

export type ContextDeps = { clientAddress: ClientAddress; response: ResponseDeps }

/** The facts about one request; `response` is the only object that writes to the client. */
export class RequestContext {
  readonly startedMs = performance.now()
  readonly requestId: string
  readonly traceparent: string
  /** Path without the query. */
  readonly path: string
  readonly address: string
  readonly request: GatewayRequest
  readonly response: ResponseWriter
  /** Continues with Fastify's route for this request. */
  next: () => void = noNext
  route: Route | undefined
  caller: Caller | undefined
  plan: AccountPlan | undefined
  decision: Decision | undefined
  /** Opened by a ticket: how long its caller has access. Undefined: by a credential in a header. */
  accessUntilMs: number | undefined
  /** Held while the request is open; empty: none. */
  leaseId = ''
  /** True: the request leaves a usage event. */
  isCounted = false
  bytesIn = 0

  constructor(deps: ContextDeps, request: GatewayRequest, reply: GatewayResponse) {
    this.request = request
    this.requestId = newRequestId()
    const isTraced = deps.response.spans !== undefined
    this.traceparent = `00-${this.requestId}-${spanIdOf(this.requestId)}-${isTraced ? '01' : '00'}`
    this.path = pathOf(request.url ?? '/')
    this.address = deps.clientAddress(request)
    this.response = new ResponseWriter(deps.response, this, reply)
  }

  /** The client's network, as services and usage events receive it: /24 of IPv4, /48 of IPv6. */
  get network(): string {
    return networkOf(this.address)
  }

  /** The unit by which throttles count the client: an IPv4 address, or the /64 of an IPv6 address. */
  get throttleAddress(): string {
    return throttleAddress(this.address)
  }
}

/** Path without the query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function noNext(): void {}

export function contextOf(request: IncomingMessage): RequestContext | undefined {
  return request instanceof GatewayRequest ? request.context : undefined
}

const ID_BYTES = 16
const IDS_AHEAD = 256
const SPAN_ID_AT = 16

const pool = Buffer.allocUnsafeSlow(ID_BYTES * IDS_AHEAD)
let used = pool.length

/** 32 hex digits, which are also the trace id. Random bytes are made many at a time. */
function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const text = pool.toString('hex', used, used + ID_BYTES)
  used += ID_BYTES
  return text
}

/** The end of the id names the gateway's span, so that audit, which has the id, can add spans below it. */
function spanIdOf(requestId: string): string {
  return requestId.slice(SPAN_ID_AT)
}
