import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { PROBLEM_CONTENT_TYPE } from '@tapeline/contracts/problem'
import { isOfDashboard } from '@tapeline/contracts/site'
import { AppError } from '@tapeline/service/app-error'
import { problemOf } from '@tapeline/service/problem'
import { languageHeaders, pageFile, type RequestTarget, targetOf, withOrigins } from './site-pages.ts'
import { staticFiles, type StaticFile } from './static-files.ts'
import { securityHeaders } from './web-headers.ts'

// Serves the built pages. Settings: PORT, HOST, WEB_ROOT, GATEWAY_PORT; MAIL_PORT if there is a local mail server.
const { PORT = '3000', HOST = '127.0.0.1', WEB_ROOT = '', GATEWAY_PORT = '3001', MAIL_PORT = '' } = process.env
const REQUEST_TIMEOUT_MS = 15_000
const fileAt = staticFiles(WEB_ROOT)
const dashboard = readFileSync(join(WEB_ROOT, 'index.html'), 'utf8')
const NOT_BY_NAME = /^\/index\.html$|^\/pages\//
/** robots.txt and sitemap.xml. */
const NAMES_SITE = new Set(['text/plain; charset=utf-8', 'application/xml'])

const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
  const target = targetOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 'request.method_not_allowed', 'Only GET and HEAD are supported.')
  if (answerOwn(target.path, request, response)) return
  const page = fileAt(pageFile(target))
  if (page !== undefined) return sendPage(request, response, { html: page.body.toString(), target })
  const file = NOT_BY_NAME.test(target.path) ? undefined : fileAt(target.path)
  if (file !== undefined) return sendFile(request, response, file)
  // A missing file is a 404, not the front page.
  if (/\.\w+$/.test(target.path)) return refuse(response, 'request.route_not_found', 'There is no such file.')
  if (isOfDashboard(target.path)) return sendPage(request, response, { html: dashboard, target })
  if (target.path === '/')
    return refuse(response, 'service.unavailable', 'The page files are missing. Restart Tapeline.')
  sendTo(response, withoutSlash(target))
})
server.listen(Number(PORT), HOST)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { html, target }: { html: string; target: RequestTarget },
) {
  const origin = gatewayOrigin(request)
  const page = html.replace(/(<meta name="tapeline-api" content=")[^"]*/, `$1${origin}`)
  const body = Buffer.from(withOrigins(page, request, origin))
  const isGzip = takesGzip(request)
  response.writeHead(200, {
    ...securityHeaders(origin),
    ...languageHeaders(target),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : isGzip ? gzipSync(body) : body)
}

/** Redirects an unknown URL to the front page, and one with a trailing slash to the one without. */
function sendTo(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'cache-control': 'no-store' })
  response.end()
}

function withoutSlash({ path, search, language }: RequestTarget): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  const bare = path.slice(0, end)
  const isPage = bare !== '' && fileAt(pageFile({ path: bare, search, language })) !== undefined
  return isPage ? bare + search : '/'
}

function takesGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const isGzip = file.gzipped !== undefined && !NAMES_SITE.has(file.type) && takesGzip(request)
  const body = bodyOf(request, file, isGzip)
  response.writeHead(200, {
    ...securityHeaders(gatewayOrigin(request)),
    'content-type': file.type,
    'content-length': body.length,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function bodyOf(request: IncomingMessage, file: StaticFile, isGzip: boolean): Buffer {
  if (isGzip && file.gzipped !== undefined) return file.gzipped
  if (!NAMES_SITE.has(file.type)) return file.body
  return Buffer.from(withOrigins(file.body.toString(), request, gatewayOrigin(request)))
}

/** Probes, security.txt of the gateway, and a redirect to the local mail page. */
function answerOwn(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (path === '/readyz' || path === '/livez') sendOk(response)
  else if (path === '/.well-known/security.txt') sendTo(response, gatewayOrigin(request) + path)
  else if (path === '/dev/mail' && MAIL_PORT !== '') sendToMails(request, response)
  else return false
  return true
}

function sendToMails(request: IncomingMessage, response: ServerResponse): void {
  const { search } = new URL(request.url ?? '/', 'http://localhost')
  response.writeHead(302, {
    location: `http://${ownName(request)}:${MAIL_PORT}/${search}`,
    'cache-control': 'no-store',
  })
  response.end()
}

function sendOk(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end('ok\n')
}

function refuse(response: ServerResponse, code: ErrorCode, text: string): void {
  const { status, ...problem } = problemOf(new AppError(code, text), { requestId: undefined, path: undefined })
  response.writeHead(status, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  })
  response.end(JSON.stringify({ status, ...problem }))
}

/** Origin of the gateway with the host name of the page, which is one of two in the gateway's CORS list. */
function gatewayOrigin(request: IncomingMessage): string {
  return `http://${ownName(request)}:${GATEWAY_PORT}`
}

function ownName({ headers }: IncomingMessage): string {
  return headers.host?.startsWith('127.0.0.1') === true ? '127.0.0.1' : 'localhost'
}
