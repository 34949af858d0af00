import type { UserActor } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { endpointFault } from '@tapeline/service/outbound/check-endpoint'
import { includedIn } from '@tapeline/service/settings/included-in'
import type { WebhookDeps } from '../webhook-deps.ts'

const FEATURE: Feature = 'webhooks'

export function hasWebhooks({ features }: UserActor): boolean {
  return features.includes(FEATURE)
}

/** @throws AppError when the actor's tier does not include webhooks */
export function requireWebhooks({ settings }: Pick<WebhookDeps, 'settings'>, actor: UserActor): void {
  if (hasWebhooks(actor)) return
  throw new AppError(
    'tier.feature_not_included',
    `Webhooks are not part of your plan. ${includedIn(settings, FEATURE)}`,
  )
}

/** @throws AppError when the URL is not `https` on the public internet */
export function checkUrl({ addresses }: Pick<WebhookDeps, 'addresses'>, url: string): void {
  const message = endpointFault(url, addresses, 'url')
  if (message !== undefined) throw new AppError('webhook.invalid', message, { errors: [{ field: '/url', message }] })
}

export function noSuchWebhook(): AppError {
  return new AppError('webhook.not_found', 'There is no such endpoint.')
}
