import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { identityProvider } from '../identity-provider/identity-provider.ts'
import { mailPage } from './mail-page.ts'
import { mailStore } from './mail-store.ts'

// A mail server for one machine: accepts every mail, stores it as a file and displays it. SMTP_PORT, PORT, HOST, MAIL_DIR.
// With OIDC_PORT it also runs the local identity provider, which is loaded at the first request to it.
const { SMTP_PORT = '3025', PORT = '3026', HOST = '127.0.0.1', MAIL_DIR = '.tapeline/mail' } = process.env
const { OIDC_PORT = '', OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = process.env
const { OIDC_REDIRECT_URI = '' } = process.env
const MESSAGE_BYTES_MAX = 1_048_576
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // The content of a mail is shown in a frame without scripts and with an opaque origin.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'none'",
}

mkdirSync(MAIL_DIR, { recursive: true, mode: 0o700 })
const store = mailStore(MAIL_DIR)
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  size: MESSAGE_BYTES_MAX,
  logger: false,
  onData(stream, session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', callback)
    stream.on('end', () => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      store.save(Buffer.concat(chunks), recipients).then(() => callback(null), callback)
    })
  },
})
smtp.on('error', (error: Error) => process.stderr.write(`${error.message}\n`))
if (SMTP_PORT !== '') smtp.listen(Number(SMTP_PORT), HOST)

const pages = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/readyz') {
    response.end('ok\n')
  } else if (pathname === '/messages') {
    const messages = store.list(searchParams.get('to'))
    response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'application/json' }).end(JSON.stringify({ messages }))
  } else if (pathname === '/') {
    response.writeHead(200, PAGE_HEADERS).end(mailPage(store.list(searchParams.get('to'))))
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n')
  }
})
pages.listen(Number(PORT), HOST)
const provider = createServer(
  identityProvider({
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    redirectUris: [OIDC_REDIRECT_URI],
  }),
)
// No authentication: it listens on loopback only, regardless of HOST.
if (OIDC_PORT !== '') provider.listen(Number(OIDC_PORT), '127.0.0.1')
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    for (const server of [pages, provider]) {
      server.closeAllConnections()
      server.close()
    }
    if (SMTP_PORT === '') process.exit(0)
    smtp.close(() => process.exit(0))
  })
}
