import { Problem } from '@tapeline/contracts/problem'
import { Answer } from '@tapeline/contracts/answer'
import { LimitsReport } from '@tapeline/contracts/gateway/http'
import { type TSchema, Type } from 'typebox'
import type { Route, RouteCall } from '../routing/route.ts'
import type { Operation } from './operation.ts'

/** An operation as a service describes it: `parameters`, `requestBody`, `responses`. */
export type Described = { responses: Record<string, unknown>; [field: string]: unknown }
export type Paths = Record<string, Record<string, Described>>

export type DocumentParts = {
  operations: ReadonlyMap<string, Operation>
  routes: readonly Route[]
  matchRoute: (path: string) => Route | undefined
  /** The paths that services describe themselves. */
  described: Paths
  /** Who may, as the services say it, by `METHOD /path/{parameter}`. */
  access: ReadonlyMap<string, string>
}

const SECURITY: Record<Route['who'], Record<string, never[]>[]> = {
  anyone: [],
  'anyone or session': [{}, { session: [] }],
  session: [{ session: [] }],
  'key or session': [{ apiKey: [] }, { apiKeyHeader: [] }, { session: [] }],
}

/** The public API as one OpenAPI 3.1 document, calls in the order of the reference. */
export function openApiDocument(parts: DocumentParts): Record<string, unknown> {
  const calls = callsById(parts.routes)
  const paths: Paths = {}
  for (const [id, operation] of parts.operations) {
    const found = calls.get(id)
    if (found === undefined) throw new Error(`The route table has no call ${id}.`)
    const { method, path } = found.call
    const described = parts.described[path]?.[method.toLowerCase()] ?? ownOperations.get(id)
    if (described === undefined) throw new Error(`No service describes ${method} ${path}.`)
    const access = parts.access.get(`${method} ${path}`) ?? 'public'
    const presented = presentOperation(operation, described, { route: found.route, access })
    paths[path] = { ...paths[path], [method.toLowerCase()]: presented }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapeline',
      version: '1',
      description: 'Trades and level-2 order-book events as JSON over REST, and the calls of the dashboard.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://localhost:3001', description: 'npm start' },
      { url: '/', description: 'Behind one address with the pages, as in containers' },
    ],
    paths,
    components: { securitySchemes, schemas: { Problem } },
  }
}

/** Public calls that a service answers and the route table does not list, and listed ones that are not described. */
export function unnamedCalls({ operations, routes, matchRoute, described }: DocumentParts): string[] {
  const listed = [...callsById(routes).values()].map(({ call }) => call)
  const names = new Set(listed.map(({ method, path }) => `${method} ${path}`))
  const unlisted = Object.entries(described).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((call) => matchRoute(path.replaceAll(/\{(\w+)\}/g, '$1')) !== undefined && !names.has(call)),
  )
  const undescribed = listed.flatMap(({ operationId }) =>
    operationId === null || operations.has(operationId) ? [] : [operationId],
  )
  return [...unlisted, ...undescribed]
}

function callsById(routes: readonly Route[]): Map<string, { call: RouteCall; route: Route }> {
  const named = routes.flatMap((route) =>
    route.calls.flatMap((call): [string, { call: RouteCall; route: Route }][] =>
      call.operationId === null ? [] : [[call.operationId, { call, route }]],
    ),
  )
  const byId = new Map(named)
  if (byId.size !== named.length) throw new Error('Two calls of the route table have the same operation id.')
  return byId
}

/** What the gateway answers itself. */
const ownOperations = new Map([
  ['read-limits', answers('What is left of every limit', LimitsReport)],
  ['check-health', answers('The gateway serves', Type.Object({ status: Type.Literal('ok') }))],
])

function answers(description: string, data: TSchema): Described {
  return { responses: { '200': { description, content: { 'application/json': { schema: Answer(data) } } } } }
}

function presentOperation(
  { id, group, summary, errors }: Operation,
  { responses, ...rest }: Described,
  { route, access }: { route: Route; access: string },
): Described {
  return {
    operationId: id,
    tags: [group],
    summary,
    security: SECURITY[route.who],
    ...rest,
    responses: { ...responses, default: problemResponse },
    'x-access': access,
    'x-counted': route.isCounted ? 'always' : 'with an API key',
    ...(route.scope === null ? {} : { 'x-scope': route.scope }),
    'x-timeout-ms': route.timeoutMs,
    'x-errors': errors,
  }
}

const problemResponse = {
  description: 'A failure (RFC 9457)',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: Authorization: Bearer tl_live_…' },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key. When Authorization is sent too, x-api-key counts and Authorization is ignored.',
  },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a sign-in.' },
}
