import type { Actor } from '@tapeline/contracts/actor'

export type Client = { network?: string | undefined; userAgent?: string | undefined }

/** Where a person calls from, as the gateway saw it. */
export function clientOf(actor: Actor): Client {
  return actor.kind === 'service' ? {} : { network: actor.network, userAgent: actor.userAgent }
}
