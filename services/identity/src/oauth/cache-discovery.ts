import { AppError } from '@tapeline/service/app-error'
import {
  allowInsecureRequests,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { providerUnavailable, RETRY_AFTER_SECONDS } from './provider-failure.ts'
import type { ProviderSettings } from './provider-settings.ts'

const AGAIN_MS = 3_600_000
/** As long as Retry-After; during this time further calls fail immediately. */
const FAILURE_HELD_MS = RETRY_AFTER_SECONDS * 1_000

/**
 * Caches the provider's metadata and refreshes it hourly in the background. Only calls before the first response
 * wait; after a failure, calls fail immediately for some seconds.
 * @throws AppError oauth.provider_away, oauth.not_configured
 */
export function cacheDiscovery(settings: ProviderSettings, now: () => Date): () => Promise<Configuration> {
  let cached: { configuration: Configuration; atMs: number } | undefined
  let failed: { error: unknown; atMs: number } | undefined
  let pending: Promise<Configuration> | undefined

  async function fetchConfiguration(): Promise<Configuration> {
    try {
      const configuration = await discover(settings)
      cached = { configuration, atMs: now().getTime() }
      failed = undefined
      return configuration
    } catch (error) {
      failed = { error, atMs: now().getTime() }
      throw providerUnavailable(error)
    } finally {
      pending = undefined
    }
  }

  return async () => {
    if (settings.clientId === '') {
      throw new AppError('oauth.not_configured', 'Sign-in with Google is not set up here.')
    }
    const nowMs = now().getTime()
    const hasFailed = failed !== undefined && nowMs - failed.atMs < FAILURE_HELD_MS
    if (cached === undefined) {
      if (hasFailed) throw providerUnavailable(failed?.error)
      return (pending ??= fetchConfiguration())
    }
    if (nowMs - cached.atMs >= AGAIN_MS && !hasFailed) (pending ??= fetchConfiguration()).catch(() => {})
    return cached.configuration
  }
}

async function discover({ issuer, clientId, clientSecret, timeoutSeconds }: ProviderSettings): Promise<Configuration> {
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(server, clientId, { client_secret: clientSecret }, ClientSecretPost(clientSecret), {
    // Also applies to later calls.
    timeout: timeoutSeconds,
    // Without it the signature is not checked, because the token came over TLS.
    execute: [enableNonRepudiationChecks, ...insecure],
  })
}
