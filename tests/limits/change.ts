import { sendAgain } from '@tapeline/testing/api-client'
import type { Probe } from './steady-requests.ts'

/**
 * The response of the owning service: whether the change was published to the gateways, and from when on it applies
 * (performance.now()).
 */
export type Applied = { isPublished: boolean; fromMs: number }
export type Step = { name: string; was: string; becomes: string; apply: () => Promise<Applied> }
/** A credential whose requests show the state, and the changes of it, in order. */
export type Trial = { credential: string; steps: Step[]; end?: () => Promise<unknown> }
export type Change = { name: string; probe: Probe; newTrial: () => Promise<Trial> }

const ACCEPTED = 'accepted'
const REFUSED = 'refused'

/** Whether the credential is accepted for market data. */
export const marketData: Probe = {
  method: 'POST',
  path: '/api/v1/trades/list',
  body: { venues: ['sim'], limit: 1 },
  stateOf: ({ status }) => stateOfStatus(status),
}

/** Whether the credential is accepted at all. */
export const accessProbe: Probe = {
  method: 'GET',
  path: '/api/v1/limits',
  stateOf: ({ status }) => stateOfStatus(status),
}

export function refusing(name: string, apply: Step['apply']): Step {
  return { name, was: ACCEPTED, becomes: REFUSED, apply }
}

export function accepting(name: string, apply: Step['apply']): Step {
  return { name, was: REFUSED, becomes: ACCEPTED, apply }
}

/** Makes a change through a dashboard call and resolves when its response has arrived. */
export async function change(
  url: string,
  { method, token, body }: { method: string; token: string; body?: object },
): Promise<Applied> {
  const reply = await sendAgain<{ data?: object }>(url, { method, token, ...(body === undefined ? {} : { body }) })
  if (reply.status >= 300) throw new ChangeRefused(reply.status, JSON.stringify(reply.body))
  return appliedBy(reply.body.data ?? {})
}

export function appliedBy(answer: object): Applied {
  return { isPublished: !('effective_within_seconds' in answer), fromMs: performance.now() }
}

export class ChangeRefused extends Error {
  readonly text: string

  constructor(status: number, text: string) {
    super(`a change got ${status}: ${text}`)
    this.text = text
  }
}

function stateOfStatus(status: number): string {
  if (status === 200) return ACCEPTED
  return status === 401 || status === 403 ? REFUSED : String(status)
}
