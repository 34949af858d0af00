import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { identityProvider } from '../../../../deploy/local/identity-provider/identity-provider.ts'

export type TokenAnswer = { id_token: string; access_token: string; refresh_token?: string }
export type TestProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Rewrites the provider's token responses, as an attacker in between could. */
  tamper: (rewrite: ((answer: TokenAnswer) => TokenAnswer) | undefined) => void
  /** Cuts every connection until called with false. */
  setUnavailable: (isUnavailable: boolean) => void
  stop: () => void
}

const SECRET = 'the secret of the client, long enough for anyone'

/** Starts the identity provider of `npm start` on a free port. */
export async function startTestProvider(redirectUri: string): Promise<TestProvider> {
  const issuer = `http://localhost:${await takeFreePort()}`
  const clientId = 'tapeline'
  const provider = identityProvider({ issuer, clientId, clientSecret: SECRET, redirectUris: [redirectUri] })
  const inner = createServer(provider).listen(0, '127.0.0.1')
  let rewrite: ((answer: TokenAnswer) => TokenAnswer) | undefined
  let isUnavailable = false
  const front = createServer((request, response) => {
    if (isUnavailable) response.destroy()
    else if (rewrite !== undefined && request.url === '/token') {
      void passOn(inner.address() as AddressInfo, rewrite, { request, response })
    } else provider(request, response)
  })
  await new Promise<void>((resolve) => front.listen(Number(new URL(issuer).port), '127.0.0.1', resolve))
  // Warms up the provider before a request with a timeout.
  await (await fetch(`${issuer}/.well-known/openid-configuration`)).text()
  return {
    issuer,
    clientId,
    clientSecret: SECRET,
    tamper: (change) => {
      rewrite = change
    },
    setUnavailable: (value) => {
      isUnavailable = value
    },
    stop: () => {
      for (const server of [front, inner]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse }

async function passOn(
  { port }: AddressInfo,
  rewrite: (answer: TokenAnswer) => TokenAnswer,
  { request, response }: Exchange,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const answer = await fetch(`http://127.0.0.1:${port}/token`, {
    method: 'POST',
    headers: { 'content-type': String(request.headers['content-type']) },
    body: Buffer.concat(chunks),
  })
  const body = (await answer.json()) as TokenAnswer
  response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answer.ok ? rewrite(body) : body))
}
