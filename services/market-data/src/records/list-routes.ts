import {
  LatestL2Event,
  LatestTrade,
  L2EventPage,
  L2LevelPage,
  ListL2Events,
  ListTrades,
  TradePage,
} from '@tapeline/contracts/market-data/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { ChannelName } from '../tables.ts'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'
import { answerList, type ListAnswer, type ListCall } from './answer-list.ts'

const TRADES_ACCESS = { role: 'user', key: true, scope: 'trades:read' } as const
const L2_EVENTS_ACCESS = { role: 'user', key: true, scope: 'l2events:read' } as const

const L2Page = Type.Union([L2EventPage, L2LevelPage])

/**
 * Pages are CPU-bound, so more concurrency would not be faster. At 200 pages a second the last of 256 waits 1.3 s;
 * a single account can use at most three quarters of the places.
 */
const QUEUE: QueueLimits = { runningMax: 8, waitingMax: 256, waitingOfAccountMax: 192 }

export function addListRoutes(app: Server, deps: Deps): void {
  const reading = { deps, queue: createFairQueue(QUEUE) }
  app.post(
    '/api/v1/trades/list',
    { config: { access: TRADES_ACCESS }, schema: { body: ListTrades, response: { 200: TradePage } } },
    async (request, reply) => sendList(reply, await answerList(reading, userOf(request), callOf('trade', request))),
  )

  app.post(
    '/api/v1/l2events/list',
    { config: { access: L2_EVENTS_ACCESS }, schema: { body: ListL2Events, response: { 200: L2Page } } },
    async (request, reply) => sendList(reply, await answerList(reading, userOf(request), callOf('l2_event', request))),
  )

  app.post(
    '/api/v1/trades/latest',
    { config: { access: TRADES_ACCESS }, schema: { body: LatestTrade, response: { 200: TradePage } } },
    async (request, reply) => sendList(reply, await answerList(reading, userOf(request), latestOf('trade', request))),
  )

  app.post(
    '/api/v1/l2events/latest',
    { config: { access: L2_EVENTS_ACCESS }, schema: { body: LatestL2Event, response: { 200: L2Page } } },
    async (request, reply) =>
      sendList(reply, await answerList(reading, userOf(request), latestOf('l2_event', request))),
  )
}

/** The body is already JSON text or a stream: the schema documents it and serializes nothing. */
function sendList(reply: FastifyReply, { type, body, rows, release }: ListAnswer): FastifyReply {
  if (release !== undefined) reply.raw.once('close', release)
  if (rows !== undefined) reply.header('x-rows-returned', String(rows))
  return reply.type(type).send(body)
}

type ListRequest = Pick<ListCall, 'body'> & { id: string; url: string; headers: { accept?: string | undefined } }

function callOf(channel: ChannelName, { body, id, url, headers }: ListRequest): ListCall {
  return { channel, body, requestId: id, path: url, accept: headers.accept }
}

/** Uses the query of the list call, so that both return the same records. */
function latestOf(channel: ChannelName, request: ListRequest): ListCall {
  const call = callOf(channel, request)
  return { ...call, body: { ...call.body, order: 'desc', limit: 1 } }
}
