import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { methodProblem } from './route.ts'
import { routeTable } from './route-table.ts'

const SERVICES = join(import.meta.dirname, '..', '..', '..', 'services')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** The gateway answers these itself. */
const OWN = new Map([
  ['/api/v1/health', ['GET', 'HEAD']],
  ['/api/v1/stream', ['GET', 'HEAD']],
  ['/api/v1/stream/tickets', ['POST']],
  ['/api/v1/limits', ['GET', 'HEAD']],
  ['/mcp', ['POST']],
  ['/api/v1/internal/calls-traced', ['POST']],
  ['/mcp', ['POST']],
])

/** The routes of every service by path, from its golden file. */
function answered(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const service of readdirSync(SERVICES)) {
    for (const line of readFileSync(join(SERVICES, service, 'golden', 'access.txt'), 'utf8').split('\n')) {
      const [method = '', path = ''] = line.split(/\s+/)
      const methods = found.get(path) ?? new Set()
      found.set(path, methods.add(method))
      if (method === 'GET') methods.add('HEAD')
    }
  }
  return found
}

test('the methods of a path are those that its service answers', () => {
  const routes = answered()
  for (const route of routeTable) {
    const { pattern } = route
    if (pattern.endsWith('*')) continue
    const expected = OWN.get(pattern) ?? [...(routes.get(pattern) ?? METHODS)]
    const allowed = METHODS.filter((method) => methodProblem(route, method) === undefined)
    expect(allowed.toSorted(), pattern).toEqual(expected.toSorted())
  }
})
