import type { Actor } from '@tapeline/contracts/actor'

export type Client = { network?: string | undefined; userAgent?: string | undefined }

/** Origin of a call, as reported by the gateway. */
export function clientOf(actor: Actor): Client {
  return actor.kind === 'service' ? {} : { network: actor.network, userAgent: actor.userAgent }
}
