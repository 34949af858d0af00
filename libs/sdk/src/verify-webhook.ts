const SECRET_PREFIX = 'whsec_'
const VERSION_PREFIX = 'v1,'
const TOLERANCE_S = 300
const MS_PER_SECOND = 1_000

/** A webhook is not genuine, is too old, or lacks a header of Standard Webhooks. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** A verified event. Handle each `id` once; `sequence` counts the events of the endpoint from 1. */
export type WebhookEvent = {
  id: string
  type: string
  /** Time of the event, RFC 3339. */
  timestamp: string
  sequence: number
  data: Record<string, unknown>
}

export type WebhookOptions = {
  /** Maximum difference between the time of sending and now, in seconds; 300 by default. */
  toleranceSeconds?: number
  now?: () => Date
}

type HeaderSource = { get: (name: string) => string | null } | Record<string, string | string[] | undefined>
export type ReceivedWebhook = { body: string | Uint8Array; headers: HeaderSource }

/**
 * Verifies a webhook as Standard Webhooks describes: the signature, in constant time, and the time of sending.
 * @param received the body exactly as received, as text or bytes, before JSON is parsed, and the headers in any case
 * @param secret the secret of the endpoint, `whsec_…`
 * @returns the parsed body
 * @throws WebhookVerificationError when the webhook must not be trusted; TypeError for a secret or a body that cannot be one
 */
export async function verifyWebhook(
  { body, headers }: ReceivedWebhook,
  secret: string,
  options: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = requiredHeader(headers, 'webhook-id')
  const timestamp = requiredHeader(headers, 'webhook-timestamp')
  const signatures = requiredHeader(headers, 'webhook-signature').split(' ')
  checkTime(timestamp, options)
  const key = await keyOf(secret)
  const text = typeof body === 'string' ? body : textOf(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures) {
    const bytes = signature.startsWith(VERSION_PREFIX) ? bytesOf(signature.slice(VERSION_PREFIX.length)) : undefined
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text)
  }
  throw new WebhookVerificationError('no signature is of this secret')
}

/** Frameworks pass parsed JSON as `any`, whose signature could never match. @throws TypeError */
function textOf(body: Uint8Array): string {
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  throw new TypeError('the body is not the text or the bytes that were received: read it before JSON is parsed')
}

function checkTime(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_S, now = () => new Date() }: WebhookOptions,
): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time')
  const ageS = Math.abs(now().getTime() / MS_PER_SECOND - Number(timestamp))
  if (ageS > toleranceSeconds) throw new WebhookVerificationError('webhook-timestamp is too far from now')
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret)
  if (bytes === undefined || bytes.length === 0) throw new TypeError('the secret is not whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function requiredHeader(headers: HeaderSource, name: string): string {
  const found = headerOf(headers, name)
  if (found === undefined || found === '') throw new WebhookVerificationError(`the header ${name} is missing`)
  return found
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  // Not only the global class: packages have classes of their own.
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found.join(' ') : found
}

function isHeaders(headers: HeaderSource): headers is { get: (name: string) => string | null } {
  return typeof headers['get'] === 'function'
}
