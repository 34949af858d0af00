import { Problem } from '@tapeline/contracts/problem'
import { Answer } from '@tapeline/contracts/answer'
import { LimitsReport, StreamTicket } from '@tapeline/contracts/gateway/http'
import { type TSchema, Type } from 'typebox'
import { type Route, type RouteCall, serviceScopeOf } from '../routing/route.ts'
import { type Described as DescribedFields, describeFields, describeParameters } from './describe-fields.ts'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { failuresOf } from './failures.ts'
import { answersOf } from './media-types.ts'
import { operationText } from './operation-text.ts'
import { groupDescriptions, tagGroups, type Operation } from './operation.ts'
import { type Examples, withExamples } from './recorded-examples.ts'
import { normalised, referring } from './schemas.ts'

/** An operation as a service describes it: `parameters`, `requestBody`, `responses`. */
export type Described = { responses: Record<string, unknown>; [field: string]: unknown }
export type Paths = Record<string, Record<string, Described>>

export type DocumentParts = {
  operations: ReadonlyMap<string, Operation>
  routes: readonly Route[]
  matchRoute: (path: string) => Route | undefined
  /** The paths that services describe themselves. */
  described: Paths
  /** Who may call an operation, according to its service, by `METHOD /path/{parameter}`. */
  access: ReadonlyMap<string, string>
  /** Names of schemas, by their canonical text: those of the contracts. */
  names: ReadonlyMap<string, string>
  examples: Examples
}

const SECURITY: Record<Route['who'], Record<string, never[]>[]> = {
  anyone: [],
  'anyone or session': [{}, { session: [] }],
  session: [{ session: [] }],
  'key or session': [{ apiKey: [] }, { apiKeyHeader: [] }, { session: [] }],
}

/** The public API as one OpenAPI 3.1 document, calls in the order of the reference. */
export function openApiDocument(
  parts: DocumentParts,
  found: DescribedFields = { used: new Set(), missing: new Set() },
): Record<string, unknown> {
  const calls = callsById(parts.routes)
  const paths: Paths = {}
  for (const [id, operation] of parts.operations) {
    const found = calls.get(id)
    if (found === undefined) throw new Error(`The route table has no call ${id}.`)
    const { method, path } = found.call
    const described = parts.described[path]?.[method.toLowerCase()] ?? ownOperations.get(id)
    if (described === undefined) throw new Error(`No service describes ${method} ${path}.`)
    const access = parts.access.get(`${method} ${path}`) ?? 'public'
    const presented = presentOperation(operation, described, { ...found, access })
    paths[path] = { ...paths[path], [method.toLowerCase()]: presented }
  }
  const schemas = new Map<string, unknown>([['Problem', normalised(Problem)]])
  const referred = describePaths(referring(normalised(paths), parts.names, schemas), parts.examples, found)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapeline',
      version: '1',
      description:
        'Trades and level-2 order-book events over REST and as a live stream, and the calls of the dashboard.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://localhost:3001', description: 'npm start' },
      { url: '/', description: 'Behind one address with the pages, as in containers' },
    ],
    'x-tagGroups': tagGroups,
    tags: Object.entries(groupDescriptions).map(([name, description]) => ({ name, description })),
    paths: referred,
    components: { securitySchemes, schemas: describedSchemas(schemas, found) },
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

/** Operations that the gateway answers itself. */
const ownOperations = new Map<string, Described>([
  ['read-limits', answers('Every limit with its remaining requests', LimitsReport)],
  ['create-stream-ticket', answers('The ticket', StreamTicket, '201')],
  [
    'check-health',
    answers(
      'The gateway is serving requests',
      Type.Object({ status: Type.Literal('ok', { description: 'Always `ok`.' }) }),
    ),
  ],
])

function answers(description: string, data: TSchema, status = '200'): Described {
  return { responses: { [status]: { description, content: { 'application/json': { schema: Answer(data) } } } } }
}

function presentOperation(
  { id, group, summary, errors }: Operation,
  { responses, ...rest }: Described,
  { route, call, access }: { route: Route; call: RouteCall; access: string },
): Described {
  const serviceScope = serviceScopeOf(route, call.method)
  const codes = isBoundToTier(access) ? [...new Set<ErrorCode>([...errors, 'tier.feature_not_included'])] : errors
  return {
    operationId: id,
    tags: [group],
    summary,
    description: operationText({ id, group, summary, errors }, route, {
      access,
      serviceScope,
      isPaged: id !== 'open-stream' && isPaged(rest),
    }),
    security: serviceScope === null ? SECURITY[route.who] : SECURITY['key or session'],
    ...rest,
    responses: { ...answersOf(id, responses, summary), ...failuresOf(route, rest, codes) },
    'x-access': access,
    'x-counted': route.isCounted ? 'always' : 'with an API key',
    ...(route.scope === null ? {} : { 'x-scope': route.scope }),
    ...(serviceScope === null ? {} : { 'x-service-scope': serviceScope }),
    ...tierOf(errors),
    'x-timeout-ms': route.timeoutMs,
    'x-errors': codes,
  }
}

/** Every shipped plan includes these calls; an administrator can remove them from a plan. */
function isBoundToTier(access: string): boolean {
  return access.includes('in tiers with') || access.includes('or API key')
}

/** The next page is selected by a cursor in the query or in the body. */
function isPaged(described: Omit<Described, 'responses'>): boolean {
  return JSON.stringify(described).includes('"cursor"')
}

function tierOf(errors: readonly ErrorCode[]): { 'x-tier'?: string } {
  if (errors.includes('tier.feature_not_included')) return { 'x-tier': 'plans that include the feature' }
  return errors.includes('tier.history_not_included') ? { 'x-tier': 'any; it bounds the history' } : {}
}

/** Schemas by name, each property with its description. */
function describedSchemas(schemas: Map<string, unknown>, found: DescribedFields): Record<string, unknown> {
  return Object.fromEntries(
    [...schemas]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, describeFields(schema, name, found)]),
  )
}

function describePaths(paths: Paths, examples: Examples, found: DescribedFields): Paths {
  const present = (operation: Described): Described => {
    const scope = String(operation['operationId'])
    const { parameters, ...rest } = operation
    const body = withExamples(describeFields(rest, scope, found), examples)
    return parameters === undefined ? body : { ...body, parameters: describeParameters(parameters, scope, found) }
  }
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, present(operation)])),
    ]),
  )
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key: Authorization: Bearer tl_live_…. Calls with x-service-scope take only service keys (tl_svc_…).',
  },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key. If both are sent, x-api-key takes precedence.',
  },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a sign-in.' },
}
