import { expectGolden } from '@tapeline/testing/golden'
import { expect, test } from 'vitest'
import { createMatch } from './match-route.ts'
import { isFree } from './route.ts'
import { routeTable } from './route-table.ts'

test('the access list of all routes', async () => {
  const lines = routeTable.map((route) => {
    const { pattern, service, who, isCounted, scope, serviceScopes, throttle, timeoutMs } = route
    const counted = isFree(route) ? 'not counted' : isCounted ? 'counted' : 'counted with a key'
    const guard = who.startsWith('anyone') ? `, throttle ${throttle}` : ''
    const needed = scope === null ? '' : `, a key needs ${scope}`
    const byService = Object.entries(serviceScopes ?? {}).flatMap(([use, needs]) =>
      needs === null ? [] : [`, a service key may ${use} with ${needs}`],
    )
    return `${pattern}  ${who} -> ${service}, ${counted}, ${timeoutMs} ms${guard}${needed}${byService.join('')}`
  })
  await expectGolden('gateway/golden/access.txt', lines.join('\n'))
})

test('the first matching pattern decides, and none is hidden by one before it', () => {
  const match = createMatch(routeTable)
  const paths = [
    '/api/v1/internal/user/settings',
    '/api/v1/internal/user/details',
    '/api/v1/admin/users/1',
    '/api/v1/admin/feature-flags',
  ]
  expect(paths.map((path) => match(path)?.service)).toEqual(['config', 'identity', 'identity', 'config'])
  expect(() => createMatch([{ pattern: '/a/*' }, { pattern: '/a/b' }])).toThrow('/a/b')
})

test.each([
  '/api/v1/trades/',
  '/api/v1/tradesx',
  '/api/v1',
  '/api/v1/trades/x/../../admin',
  '/api/v1/trades/%2E%2E/x',
  '/api/v1/trades/a\\b',
])('no route for %s', (path) => {
  expect(createMatch(routeTable)(path)).toBeUndefined()
})
