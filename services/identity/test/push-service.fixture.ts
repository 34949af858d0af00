import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { PushMessage, type SubscribeToPush } from '@tapeline/contracts/identity/push'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const SALT_BYTES = 16
const RECORD_SIZE_BYTES = 4
const TAG_BYTES = 16
const LAST_RECORD = 2
const DAY_MS = 86_400_000

export type ReceivedPush = { browser: string; headers: IncomingHttpHeaders; message: PushMessage; signer: string }

/** A browser's subscription at its push service: an endpoint, a key pair and a secret (RFC 8291 §3.1). */
function newBrowser(endpoint: string) {
  const keyPair = createECDH('prime256v1')
  keyPair.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: keyPair.getPublicKey('base64url'), auth: auth.toString('base64url') }
  return { keyPair, auth, subscription: { endpoint, expirationTime: null, keys } satisfies SubscribeToPush }
}
type Browser = ReturnType<typeof newBrowser>

/** A real push service on this machine that also acts as its browsers: it decrypts what it receives. */
export async function startPushService() {
  const browsers = new Map<string, Browser>()
  const received: ReceivedPush[] = []
  /** Statuses for the next pushes to a browser; then 201. */
  const answers = new Map<string, number[]>()
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the push service does not listen')
  const origin = `http://127.0.0.1:${address.port}`

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
    const name = (request.url ?? '').slice(1)
    const browser = browsers.get(name)
    const status = answers.get(name)?.shift() ?? 201
    if (browser !== undefined && status === 201) {
      const signer = signerOf(request.headers.authorization ?? '', origin)
      const message = Value.Parse(PushMessage, JSON.parse(open(browser, body)))
      received.push({ browser: name, headers: request.headers, message, signer })
    }
    const location = status === 302 ? { location: `${origin}/elsewhere` } : {}
    response.writeHead(browser === undefined ? 404 : status, location).end('{}')
  }

  return {
    origin,
    received,
    receivedBy: (name: string) => received.filter(({ browser }) => browser === name),
    /** A browser that has allowed notifications. */
    newBrowser(name: string): SubscribeToPush {
      const browser = newBrowser(`${origin}/${name}`)
      browsers.set(name, browser)
      return browser.subscription
    },
    answerWith: (name: string, ...statuses: number[]) => answers.set(name, statuses),
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** RFC 8188 with the keys of RFC 8291: one record. */
function open({ keyPair, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES)
  const idAt = SALT_BYTES + RECORD_SIZE_BYTES + 1
  const idLength = body[idAt - 1] ?? 0
  const senderKey = body.subarray(idAt, idAt + idLength)
  const sealed = body.subarray(idAt + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keyPair.getPublicKey(), senderKey])
  const input = Buffer.from(hkdfSync('sha256', keyPair.computeSecret(senderKey), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(LAST_RECORD)).toString('utf8')
}

/** The public key that signed a push, after checking its signature and claims (RFC 8292). */
function signerOf(authorization: string, origin: string): string {
  const { header, claims, signature, signer } =
    /^vapid t=(?<header>[^.]+)\.(?<claims>[^.]+)\.(?<signature>[^,]+), ?k=(?<signer>.+)$/.exec(authorization)?.groups ??
    {}
  if (header === undefined || claims === undefined || signature === undefined || signer === undefined) {
    throw new Error(`push without a valid signature: ${authorization}`)
  }
  const point = Buffer.from(signer, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  const isSigned = verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
  if (!isSigned || !areValidClaims(Buffer.from(claims, 'base64url').toString(), origin)) {
    throw new Error(`a push that is not signed as it must be: ${claims}`)
  }
  return signer
}

const Claims = Type.Object({ aud: Type.String(), sub: Type.String({ pattern: '^mailto:.+@' }), exp: Type.Integer() })

/** Whether the claims name this push service, a contact, and a short lifetime. */
function areValidClaims(claims: string, origin: string): boolean {
  const { aud, exp } = Value.Parse(Claims, JSON.parse(claims))
  const leftMs = exp * 1_000 - Date.now()
  return aud === origin && leftMs > 0 && leftMs < DAY_MS
}
