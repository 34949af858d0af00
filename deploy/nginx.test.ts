import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorStatuses } from '@tapeline/contracts/error-code'
import { STREAM_HEARTBEAT_MS } from '@tapeline/contracts/market-data/stream'
import type { Problem } from '@tapeline/contracts/problem'
import { chooseLanguage } from '@tapeline/contracts/language'
import { isOfDashboard } from '@tapeline/contracts/site'
import { securityHeaders } from './local/web/web-headers.ts'

/** Minimum time until kube-proxy has removed a terminating endpoint. */
const UNTIL_NEW_ONES_GO_ELSEWHERE_SECONDS = 2

const conf = readFileSync(join(import.meta.dirname, 'nginx.conf'), 'utf8')

test('the pages have the same headers in containers as on one machine', () => {
  const added = Object.fromEntries(
    [...conf.matchAll(/add_header (\S+) "(.+)" always;/g)].map(([, name, value]) => [name, value]),
  )
  expect(added).toEqual(securityHeaders("'self'"))
})

test.each(['/login', '/auth/reset-password', '/dashboard', '/dashboard/api-keys', '/dashboards', '/about', '/loginx'])(
  'nginx answers %s with the dashboard or a page as the local server does',
  (path) => {
    const [, source = 'missing'] = /location ~ (\^\/\(login\S+) {/.exec(conf) ?? []
    expect(new RegExp(source).test(path)).toBe(isOfDashboard(path))
  },
)

test.each([
  ['/api/', 413, 'request.too_large'],
  ['/api/', 502, 'upstream.unavailable'],
  ['/api/', 504, 'upstream.timed_out'],
  ['/', 404, 'request.route_not_found'],
] as const)('an error of nginx itself under %s, %i, is a problem that is not cached', (location, status, code) => {
  const within = conf.slice(conf.indexOf(`location ${location} {`))
  const [, name = 'missing'] = new RegExp(`error_page ${status} @(\\w+);`).exec(within) ?? []
  const [, block = ''] = new RegExp(`location @${name} {([^]*?)\\n    }`).exec(conf) ?? []
  expect(block).toContain('default_type application/problem+json;')
  expect(block).toContain('add_header cache-control no-store always;')
  const [, answered, body = ''] = /return (\d+) '(.+)';/.exec(block) ?? []
  const problem: Problem = JSON.parse(body)
  const { title, detail } = problem
  const type = `/docs/errors/${code}`
  const own = { type, title, status, detail, code, request_id: '$request_id', success: false, message: detail }
  expect(problem).toEqual(own)
  expect([title, detail].every((text) => text.length > 0)).toBe(true)
  expect([Number(answered), errorStatuses[code]]).toEqual([status, status])
})

test('nginx answers a page of the dashboard with its own document, and other paths with the common one', () => {
  const [, , tried = 'missing'] = /location ~ (\^\/\(login\S+) {\s*try_files (.+);/.exec(conf) ?? []
  expect(tried.split(' ')).toEqual(['/pages/$language$uri.html', '/index.html', '=404'])
})

test('the memory of nginx does not depend on the number of cores of its node', () => {
  const [, workers] = /^worker_processes (\S+);$/m.exec(conf) ?? []
  expect(Number(workers)).toBeGreaterThan(1)
  expect(Number(workers)).toBeLessThanOrEqual(4)
})

test('in a cluster no connection is idle when nginx receives SIGQUIT', () => {
  const pod = readFileSync(join(import.meta.dirname, '..', 'k8s', 'base', 'web.yaml'), 'utf8')
  const seconds = (expression: RegExp, text: string): number => Number(expression.exec(text)?.[1])
  const usedFor = seconds(/keepalive_time (\d+)s;/, conf)
  const idleFor = seconds(/keepalive_timeout (\d+)s /, conf)
  const quitAfter = seconds(/preStop: { sleep: { seconds: (\d+) } }/, pod)
  expect(quitAfter - usedFor - idleFor).toBeGreaterThanOrEqual(UNTIL_NEW_ONES_GO_ELSEWHERE_SECONDS)
  expect(seconds(/terminationGracePeriodSeconds: (\d+)/, pod)).toBeGreaterThan(quitAfter)
})

test('in a cluster no connection to a gateway is idle when the gateway closes it', () => {
  const settings = readFileSync(join(import.meta.dirname, '..', 'k8s', 'base', 'settings.env'), 'utf8')
  const [, idleFor] = /keepalive_timeout (\d+)s;/.exec(conf) ?? []
  const [, answersFor] = /^LAME_DUCK_MS=(\d+)$/m.exec(settings) ?? []
  expect(Number(idleFor) * 1_000).toBeLessThan(Number(answersFor))
})

/** The pattern of a map, which has the same meaning in nginx and JavaScript. */
function pattern(map: string): RegExp {
  const [, flags = '', source = ''] = new RegExp(`map [$]${map} [^}]*"~(\\*?)(.+)" [$]`).exec(conf) ?? []
  return new RegExp(source, flags === '*' ? 'i' : '')
}

test.each(['fr', 'fr-CH, es;q=0.5', 'de-DE,de;q=0.9,es;q=0.8,en;q=0.7', 'ES-mx', 'fr;q=0, es', 'de', 'french', '*'])(
  'nginx reads the preference "%s" as the local server does',
  (acceptLanguage) => {
    const tag = pattern('http_accept_language').exec(acceptLanguage)?.groups?.['tag'] ?? 'en'
    expect(tag.toLowerCase()).toBe(chooseLanguage({ search: '', cookie: undefined, acceptLanguage }))
  },
)

test.each([
  'tapeline-language=es',
  'a=b; tapeline-language=fr; c=d',
  'tapeline-language=xx',
  'x-tapeline-language=es',
  '',
])('nginx reads the stored choice "%s" as the local server does', (cookie) => {
  const kept = pattern('http_cookie').exec(cookie)?.groups?.['kept'] ?? 'en'
  expect(kept).toBe(chooseLanguage({ search: '', cookie, acceptLanguage: undefined }))
})

test('live streams pass nginx as WebSocket, and only they keep the Upgrade header', () => {
  const within = conf.slice(conf.indexOf('location /api/ {'), conf.indexOf('location = /.well-known/security.txt'))
  expect(within).toContain('proxy_set_header Upgrade $upgrade_to;')
  expect(within).toContain('proxy_set_header Connection $connection_for;')
  const [, accepted = ''] = /map \$http_upgrade \$upgrade_to {\s*default "";\s*"~\*(\S+)" websocket;/.exec(conf) ?? []
  const values = ['websocket', 'WebSocket', 'h2c', 'websocket, h2c', '']
  expect(values.filter((value) => new RegExp(accepted, 'i').test(value))).toEqual(['websocket', 'WebSocket'])
  expect(Number(/proxy_read_timeout (\d+)s;/.exec(within)?.[1]) * 1_000).toBeGreaterThan(2 * STREAM_HEARTBEAT_MS)
})
