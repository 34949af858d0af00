import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../ports/free-port.ts'
import { runChild, type Child } from '../processes/run-child.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-web-'))
const root = join(dir, 'site')
let server: Child
let url: string

beforeAll(async () => {
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(dir, 'secret.txt'), 'not public')
  writeFileSync(join(root, '.hidden.txt'), 'not public')
  writeFileSync(
    join(root, 'index.html'),
    '<meta name="tapeline-api" content="http://localhost:3001"><div id="root"></div>',
  )
  writeFileSync(join(root, 'assets', 'main-AbCd1234.js'), 'console.log(1)')
  for (const language of ['en', 'es', 'fr']) {
    mkdirSync(join(root, 'pages', language), { recursive: true })
    writeFileSync(
      join(root, 'pages', language, 'about.html'),
      `<meta name="tapeline-api" content="https://api.tapeline.invalid"><html lang="${language}"><link rel="canonical" href="https://site.tapeline.invalid/about"><code>curl https://api.tapeline.invalid/x</code>`,
    )
  }
  writeFileSync(join(root, 'robots.txt'), 'Sitemap: https://site.tapeline.invalid/sitemap.xml')
  writeFileSync(join(root, 'theme.js'), 'document')
  const port = await takeFreePort()
  url = `http://127.0.0.1:${port}`
  server = await runChild({
    name: 'web',
    command: process.execPath,
    args: [join(import.meta.dirname, 'web-server.ts')],
    dir,
    marker: 'web-server',
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 2_000,
    env: { PORT: String(port), WEB_ROOT: root, GATEWAY_PORT: '4321' },
    output: { onLine: () => undefined },
  })
  await waitUntil('the pages are served', async () => (await fetch(`${url}/readyz`)).ok)
})
afterAll(async () => {
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test("every path of the app returns the page, which contains the gateway's URL", async () => {
  const response = await fetch(`${url}/dashboard/api-keys?page=2`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(await response.text()).toContain('<meta name="tapeline-api" content="http://127.0.0.1:4321">')
})

test('the page may load only its own scripts and call only its gateway', async () => {
  const { headers } = await fetch(`${url}/about`)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`script-src 'self';`)
  expect(policy).toContain('connect-src http://127.0.0.1:4321 ws://127.0.0.1:4321;')
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain(`require-trusted-types-for 'script'`)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test.each([
  ['the browser prefers', '/about', { 'accept-language': 'fr-CH, es;q=0.5' }, 'fr'],
  ['was chosen before', '/about', { cookie: 'tapeline-language=es', 'accept-language': 'fr' }, 'es'],
  ['the address says', '/about?lang=fr', { cookie: 'tapeline-language=es' }, 'fr'],
  ['an unsupported language', '/about?lang=tlh', {}, 'en'],
])('a public page comes in the language that %s', async (_case, path, headers, language) => {
  const response = await fetch(url + path, { headers: { 'accept-language': '*', ...headers } })
  expect(await response.text()).toContain(`<html lang="${language}">`)
  expect(response.headers.get('vary')).toContain('accept-language, cookie')
  const cookie = response.headers.get('set-cookie')
  if (path.endsWith('=fr')) expect(cookie).toContain('tapeline-language=fr; Path=/;')
  else expect(cookie).toBeNull()
})

test('a public page names the origins by which it was reached', async () => {
  const html = await (await fetch(`${url}/about`)).text()
  expect(html).toContain(`href="${url}/about"`)
  expect(html).toContain('curl http://127.0.0.1:4321/x')
  expect(await (await fetch(`${url}/robots.txt`)).text()).toBe(`Sitemap: ${url}/sitemap.xml`)
})

test.each([
  ['/nowhere', '/'],
  ['/dashboards', '/'],
  ['/nowhere/at/all?x=1', '/'],
  ['/about/?lang=es', '/about?lang=es'],
  ['//evil.example/', '/'],
])('%s is redirected to %s', async (path, to) => {
  const response = await fetch(url + path, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([302, to])
})

test('a hashed asset is cached for ever, other files are revalidated', async () => {
  const asset = await fetch(`${url}/assets/main-AbCd1234.js`)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await asset.text()).toBe('console.log(1)')
  expect((await fetch(`${url}/theme.js`)).headers.get('cache-control')).toBe('no-cache')
})

test('a missing file is a 404 and not the page', async () => {
  const missing = await fetch(`${url}/assets/gone-AbCd1234.js`)
  expect([missing.status, missing.headers.get('content-type'), missing.headers.get('cache-control')]).toEqual([
    404,
    'application/problem+json',
    'no-store',
  ])
  expect(await missing.json()).toMatchObject({ status: 404, code: 'request.route_not_found', success: false })
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/.hidden.txt',
  '/pages/en/about.html',
  '/index.html',
  '/%00.txt',
  '/%E0%A4%A.txt',
])('%s is not found', async (path) => {
  expect(await statusOf(path)).toBe(404)
})

test('a POST gets a 405', async () => {
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405)
})

/** fetch would normalize the path before sending it. */
async function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

test('without a front page there is an error message, not a redirect loop', async () => {
  const response = await fetch(`${url}/`, { redirect: 'manual' })
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('The page files are missing')])
})
