import {
  InstrumentList,
  L2EventPage,
  ListL2Events,
  ListTrades,
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
import { listL2Events } from './records/list-l2-events.ts'
import { listTrades } from './records/list-trades.ts'
import { createSamples } from './records/sample-trades.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SymbolParams = Type.Object({ symbol: Type.String({ minLength: 1, maxLength: 40 }) })

export function addRoutes(app: Server, deps: Deps): void {
  const samples = createSamples(deps)
  addFileRoutes(app, deps)

  app.post(
    '/api/v1/trades/list',
    {
      config: { access: { role: 'user', key: true, scope: 'trades:read' } },
      schema: { body: ListTrades, response: { 200: TradePage } },
    },
    async (request, reply) => {
      const page = await listTrades(deps, userOf(request), request.body, request.id)
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
      const page = await listL2Events(deps, userOf(request), request.body, request.id)
      return sendJson(reply, page.json, page.rows)
    },
  )

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

/** Text that is JSON already: Fastify sends it as it is, the schema is there for the reference. */
function sendJson(reply: FastifyReply, json: string, rows: number): FastifyReply {
  return reply.type(JSON_TYPE).header('x-rows-returned', String(rows)).send(json)
}
