import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { staticFiles, type StaticFile } from './static-files.ts'
import { securityHeaders } from './web-headers.ts'

// Serves the built pages: PORT, HOST, WEB_ROOT, GATEWAY_PORT; MAIL_PORT when this machine has a mail server of its own.
const { PORT = '3000', HOST = '127.0.0.1', WEB_ROOT = '', GATEWAY_PORT = '3001', MAIL_PORT = '' } = process.env
const REQUEST_TIMEOUT_MS = 15_000
const fileAt = staticFiles(WEB_ROOT)
const page = readFileSync(join(WEB_ROOT, 'index.html'), 'utf8')

const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.')
  if (answerOwn(path, request, response)) return
  const file = path === '/index.html' ? undefined : fileAt(path)
  if (file !== undefined) return sendFile(request, response, file)
  // An address of the app is answered with the page; a missing file is a 404, not a page in disguise.
  if (/\.\w+$/.test(path)) return refuse(response, 404, 'There is no such file.')
  sendPage(request, response)
})
server.listen(Number(PORT), HOST)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}

function sendPage(request: IncomingMessage, response: ServerResponse): void {
  const origin = gatewayOrigin(request)
  const html = page.replace(/(<meta name="tapeline-api" content=")[^"]*/, `$1${origin}`)
  response.writeHead(200, {
    ...securityHeaders(origin),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const isGzip = file.gzipped !== undefined && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = isGzip && file.gzipped !== undefined ? file.gzipped : file.body
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

/** Probes, and where the mails of this machine are. */
function answerOwn(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (path === '/readyz' || path === '/livez') refuse(response, 200, 'ok')
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

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(`${text}\n`)
}

/** The gateway under the name by which the page itself was reached, of the two that the gateway's CORS list has. */
function gatewayOrigin(request: IncomingMessage): string {
  return `http://${ownName(request)}:${GATEWAY_PORT}`
}

function ownName({ headers }: IncomingMessage): string {
  return headers.host?.startsWith('127.0.0.1') === true ? '127.0.0.1' : 'localhost'
}
