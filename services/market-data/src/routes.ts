import { InstrumentList, Sample, SampleSymbols } from '@tapeline/contracts/market-data/http'
import { BarPage, ListBars } from '@tapeline/contracts/market-data/bars'
import { BookAnswer, ReadBook } from '@tapeline/contracts/market-data/book'
import { LatestQuotes, LatestQuotesAnswer, ListQuotes, QuotePage } from '@tapeline/contracts/market-data/quotes'
import { FollowSample } from '@tapeline/contracts/market-data/stream'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Logger } from '@tapeline/service/logger'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { showBook } from './book/show-book.ts'
import { listBars } from './bars/list-bars.ts'
import { addVenueRoutes } from './connect/settings/venue-routes.ts'
import type { Deps } from './deps.ts'
import { addFileRoutes } from './files/file-routes.ts'
import { listInstruments } from './instruments/list-instruments.ts'
import { addListRoutes } from './records/list-routes.ts'
import { createSamples } from './records/sample-trades.ts'
import type { Readers } from './simulator/readers.ts'
import { SampleStreams } from './records/sample-streams.ts'
import { latestQuotes } from './quotes/latest-quotes.ts'
import { listQuotes } from './quotes/list-quotes.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SymbolParams = Type.Object({ symbol: Type.String({ minLength: 1, maxLength: 40 }) })

export function addRoutes(app: Server, deps: Deps, logger: Logger, readers?: Readers): void {
  addListRoutes(app, deps)
  addBarRoutes(app, deps)
  addBookRoutes(app, deps)
  addQuoteRoutes(app, deps)
  addFileRoutes(app, deps)
  addVenueRoutes(app, deps)
  addOtherRoutes(app, deps)
  addSampleRoutes(app, deps, logger, readers)
}

function addBarRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/trades/bars',
    {
      config: { access: { role: 'user', key: true, scope: 'trades:read' } },
      schema: { body: ListBars, response: { 200: BarPage } },
    },
    async (request, reply) => {
      const page = await listBars(deps, userOf(request), request.body, request.id)
      return sendJson(reply, page.json, page.rows)
    },
  )
}

function addBookRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/l2events/book',
    {
      config: { access: { role: 'user', key: true, scope: 'l2events:read' } },
      schema: { body: ReadBook, response: { 200: BookAnswer } },
    },
    async (request, reply) => {
      const answer = await showBook(deps, userOf(request), request.body, request.id)
      return sendJson(reply, JSON.stringify(answer), 1)
    },
  )
}

function addQuoteRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/quotes/list',
    {
      config: { access: { role: 'user', key: true, scope: 'l2events:read' } },
      schema: { body: ListQuotes, response: { 200: QuotePage } },
    },
    async (request, reply) => {
      const page = await listQuotes(deps, userOf(request), request.body, request.id)
      return sendJson(reply, page.json, page.rows)
    },
  )

  app.post(
    '/api/v1/quotes/latest',
    {
      config: { access: { role: 'user', key: true, scope: 'l2events:read' } },
      schema: { body: LatestQuotes, response: { 200: LatestQuotesAnswer } },
    },
    async (request, reply) => {
      const answer = await latestQuotes(deps, userOf(request), request.body, request.id)
      return sendJson(reply, JSON.stringify(answer), answer.data.length)
    },
  )
}

function addOtherRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/instruments',
    { config: { access: { role: 'user', key: true } }, schema: { response: { 200: InstrumentList } } },
    async (request, reply) => {
      const list = await listInstruments(deps, userOf(request), request.id)
      return sendJson(reply, JSON.stringify(list), list.data.length)
    },
  )
}

function addSampleRoutes(app: Server, deps: Deps, logger: Logger, readers: Readers | undefined): void {
  const samples = createSamples(deps)
  const streams = new SampleStreams(samples, logger, readers)
  app.addHook('preClose', async () => streams.stop())

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

  app.get(
    '/api/v1/sample/stream/:symbol',
    {
      config: { access: 'public' },
      schema: { params: SymbolParams, querystring: FollowSample },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const last = Number(request.headers['last-event-id'] ?? request.query.after)
      // If the stream cannot begin, nothing has been written yet, so the answer is a problem.
      await streams.open(request.params.symbol, Number.isSafeInteger(last) ? last : undefined, reply.raw)
      return reply.hijack()
    },
  )
}

/** The body is already JSON text: Fastify sends it unchanged, and the schema serves the API reference only. */
function sendJson(reply: FastifyReply, json: string, rows: number): FastifyReply {
  return reply.type(JSON_TYPE).header('x-rows-returned', String(rows)).send(json)
}
