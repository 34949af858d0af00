import type { Readable } from 'node:stream'
import {
  InstrumentList,
  L2EventPage,
  ListL2Events,
  ListTrades,
  NDJSON_TYPE,
  Sample,
  SampleSymbols,
  TradePage,
} from '@tapeline/contracts/market-data/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { addFileRoutes } from './files/file-routes.ts'
import { listInstruments } from './instruments/list-instruments.ts'
import { answerFormat } from './records/answer-format.ts'
import { listL2Events, renderL2EventsOf } from './records/list-l2-events.ts'
import { listTrades, renderTradesOf } from './records/list-trades.ts'
import { createSamples } from './records/sample-trades.ts'
import { streamRecords } from './records/stream-records.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SymbolParams = Type.Object({ symbol: Type.String({ minLength: 1, maxLength: 40 }) })

export function addRoutes(app: Server, deps: Deps): void {
  addListRoutes(app, deps)
  addFileRoutes(app, deps)
  addOtherRoutes(app, deps)
}

function addListRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/trades/list',
    {
      config: { access: { role: 'user', key: true, scope: 'trades:read' } },
      schema: { body: ListTrades, response: { 200: TradePage } },
    },
    async (request, reply) => {
      const { body, id: requestId, url: path } = request
      const actor = userOf(request)
      if (answerFormat(request.headers.accept, body.limit) === 'ndjson') {
        const call = { channel: 'trade', body, requestId, path, renderFor: renderTradesOf } as const
        return sendRows(reply, await streamRecords(deps, actor, call))
      }
      const page = await listTrades(deps, actor, body, requestId)
      return sendJson(reply, page.json, page.rows)
    },
  )

  app.post(
    '/api/v1/l2events/list',
    {
      config: { access: { role: 'user', key: true, scope: 'l2events:read' } },
      schema: { body: ListL2Events, response: { 200: L2EventPage } },
    },
    async (request, reply) => {
      const { body, id: requestId, url: path } = request
      const actor = userOf(request)
      if (answerFormat(request.headers.accept, body.limit) === 'ndjson') {
        const call = { channel: 'l2_event', body, requestId, path, renderFor: renderL2EventsOf } as const
        return sendRows(reply, await streamRecords(deps, actor, call))
      }
      const page = await listL2Events(deps, actor, body, requestId)
      return sendJson(reply, page.json, page.rows)
    },
  )
}

function addOtherRoutes(app: Server, deps: Deps): void {
  const samples = createSamples(deps)

  app.get(
    '/api/v1/instruments',
    { config: { access: { role: 'user', key: true } }, schema: { response: { 200: InstrumentList } } },
    async (request, reply) => {
      const list = await listInstruments(deps, userOf(request), request.id)
      return sendJson(reply, JSON.stringify(list), list.data.length)
    },
  )

  app.get(
    '/api/v1/sample',
    { config: { access: 'public' }, schema: { response: { 200: SampleSymbols } } },
    async (request) => ({ symbols: await samples.symbols(), request_id: request.id }),
  )

  app.get(
    '/api/v1/sample/:symbol',
    { config: { access: 'public' }, schema: { params: SymbolParams, response: { 200: Sample } } },
    async (request, reply) => {
      const page = await samples.page(request.params.symbol, request.id)
      return sendJson(reply, page.json, page.rows)
    },
  )
}

function sendRows(reply: FastifyReply, rows: Readable): FastifyReply {
  return reply.type(NDJSON_TYPE).send(rows)
}

/** Text that is JSON already: Fastify sends it as it is, the schema is there for the reference. */
function sendJson(reply: FastifyReply, json: string, rows: number): FastifyReply {
  return reply.type(JSON_TYPE).header('x-rows-returned', String(rows)).send(json)
}
