import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { SubscribeToPush } from '@tapeline/contracts/identity/push'
import webPush from 'web-push'
import { endpointFault, type EndpointRules } from '@tapeline/service/outbound/check-endpoint'
import { createGuardedLookup, PrivateAddress } from '@tapeline/service/outbound/guarded-lookup'
import type { VapidKeys } from './vapid-keys.ts'

export type OutgoingPush = {
  subscription: SubscribeToPush
  text: string
  /** At most 32 characters. A push service replaces a stored message with the same topic. */
  topic: string
}
/**
 * `gone`: the subscription has ended. `refused`: the push is rejected permanently. Everything else throws and is
 * retried.
 */
export type PushOutcome = { is: 'taken' } | { is: 'gone' } | { is: 'refused'; why: string }
export type PostPush = (push: OutgoingPush) => Promise<PushOutcome>

export type PushPosterOptions = {
  vapidKeys: () => Promise<VapidKeys>
  /** Contact for push services: `mailto:` or `https:`. */
  subject: string
  rules: EndpointRules
}

const TIMEOUT_MS = 10_000
/** How long a push service stores a message for a browser that is not running. */
const KEPT_SECONDS = 86_400
const GONE = new Set([404, 410])
const LATER = new Set([408, 425, 429])

/**
 * Sends pushes encrypted for one browser (RFC 8291) and signed by the platform (RFC 8292). Redirects are not
 * followed.
 */
export function createPushPoster({ vapidKeys, subject, rules }: PushPosterOptions) {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const lookup = createGuardedLookup(rules)

  const post: PostPush = async ({ subscription, text, topic }) => {
    const fault = endpointFault(subscription.endpoint, rules)
    if (fault !== undefined) return { is: 'gone' }
    const { headers, body } = webPush.generateRequestDetails(subscription, text, {
      vapidDetails: { subject, ...(await vapidKeys()) },
      TTL: KEPT_SECONDS,
      topic,
    })
    try {
      return outcomeOf(await send(new URL(subscription.endpoint), { headers: { ...headers }, body }))
    } catch (error) {
      if (error instanceof PrivateAddress) return { is: 'gone' }
      throw error
    }
  }

  function send(url: URL, { headers, body }: { headers: Record<string, string>; body: Buffer }): Promise<number> {
    const options = { method: 'POST', headers, lookup, signal: AbortSignal.timeout(TIMEOUT_MS) }
    return new Promise((resolve, reject) => {
      const onAnswer = (answer: IncomingMessage): void => {
        // Only the status is needed, so the body is discarded.
        answer.once('data', () => answer.destroy())
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }
      const sending =
        url.protocol === 'http:'
          ? requestHttp(url, { ...options, agent: agents.http }, onAnswer)
          : requestHttps(url, { ...options, agent: agents.https }, onAnswer)
      sending.once('error', reject)
      sending.end(body)
    })
  }

  return {
    post,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { is: 'taken' }
  if (GONE.has(status)) return { is: 'gone' }
  if (status >= 500 || LATER.has(status)) throw new Error(`the push service returned ${status}`)
  return { is: 'refused', why: `the push service returned ${status}` }
}
