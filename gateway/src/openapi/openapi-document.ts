import { Problem } from '@tapeline/contracts/problem'
import type { Route } from '../routing/route-table.ts'
import { gatewayPaths } from './gateway-paths.ts'
import type { Operation } from './operation.ts'

/** An operation as a service describes it: `parameters`, `requestBody`, `responses`. */
export type Described = { responses: Record<string, unknown>; [field: string]: unknown }
export type Paths = Record<string, Record<string, Described>>

export type DocumentParts = {
  operations: ReadonlyMap<string, Operation>
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

/** The platform's API as the gateway lets it in: one OpenAPI 3.1 document, calls in the order of the reference. */
export function openApiDocument(parts: DocumentParts): Record<string, unknown> {
  const described = { ...parts.described, ...gatewayPaths }
  const paths: Paths = {}
  for (const [call, operation] of parts.operations) {
    const [method = '', path = ''] = call.split(' ')
    const found = described[path]?.[method.toLowerCase()]
    const upstream = parts.matchRoute(path.replaceAll(/\{(\w+)\}/g, '$1'))
    if (found === undefined) throw new Error(`No service describes ${call}.`)
    if (upstream === undefined) throw new Error(`The gateway lets nobody in at ${call}.`)
    const access = parts.access.get(call) ?? 'public'
    paths[path] = { ...paths[path], [method.toLowerCase()]: presentOperation(operation, found, { upstream, access }) }
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

/** Calls that a service answers and that no name was given to: they must not be forgotten. */
export function unnamedCalls({ operations, matchRoute, described }: DocumentParts): string[] {
  return Object.entries(described).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((call) => matchRoute(path.replaceAll(/\{(\w+)\}/g, '$1')) !== undefined && !operations.has(call)),
  )
}

function presentOperation(
  { id, group, summary, errors }: Operation,
  { responses, ...rest }: Described,
  { upstream, access }: { upstream: Route; access: string },
): Described {
  return {
    operationId: id,
    tags: [group],
    summary,
    security: SECURITY[upstream.who],
    ...rest,
    responses: { ...responses, default: problemResponse },
    'x-access': access,
    'x-counted': upstream.isCounted ? 'always' : 'with an API key',
    ...(upstream.scope === null ? {} : { 'x-scope': upstream.scope }),
    'x-timeout-ms': upstream.timeoutMs,
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
