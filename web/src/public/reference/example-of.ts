import type { Operation, Schema } from './read-operations.ts'

/** Bodies with a useful answer on a local platform, if the smallest valid body has none. */
const BODIES: Record<string, unknown> = {
  'list-trades': { venues: ['sim'], symbols: ['BTC-USDT'], order: 'desc', limit: 2 },
  'list-l2-events': { venues: ['sim'], symbols: ['BTC-USDT'], types: ['snapshot'], depth: 2, order: 'desc', limit: 1 },
  'read-latest-trade': { venues: ['sim'], symbols: ['BTC-USDT'] },
  'read-latest-l2-event': { venues: ['sim'], symbols: ['BTC-USDT'], depth: 2 },
  'create-key': { name: 'notebook', scopes: ['trades:read'] },
  'regenerate-key': { grace_seconds: 3600 },
  'update-key': { is_active: false },
  'log-in': { email: 'you@example.com', password: '…' },
  'sign-up': {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'you@example.com',
    password: '…',
    mobile: '+441234567',
    reminder_enabled: true,
    reminder_time: 9,
    reminder_method: 'email',
  },
}
const IN_PATH: Record<string, string> = { symbol: 'BTC-USDT', flag_key: 'api_key_audit', tier: 'basic' }

export type Example = { path: string; body: unknown }

/** An example request of an operation, with `$NAME` for values that only the reader has. */
export function exampleOf({ id, path, parameters, body }: Operation): Example {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => IN_PATH[name] ?? `$${name.toUpperCase()}`)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => `${name}=$${name.toUpperCase()}`)
  return {
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    body: body === undefined ? undefined : (BODIES[id === 'sign-up-alias' ? 'sign-up' : id] ?? smallest(body)),
  }
}

/** An example with only the required fields. */
function smallest(schema: Schema): unknown {
  const first = schema.enum?.[0] ?? schema.const
  if (first !== undefined) return first
  if (schema.anyOf !== undefined) return smallest(schema.anyOf[0] ?? {})
  return smallestOf[[schema.type].flat()[0] ?? '']?.(schema) ?? '…'
}

const smallestOf: Record<string, (schema: Schema) => unknown> = {
  object: ({ required = [], properties = {} }) =>
    Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {})])),
  array: () => [],
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  boolean: () => true,
}
