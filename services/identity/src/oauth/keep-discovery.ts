import { AppError } from '@tapeline/service/app-error'
import {
  allowInsecureRequests,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { away, RETRY_AFTER_SECONDS } from './provider-failure.ts'
import type { ProviderSettings } from './provider-settings.ts'

const AGAIN_MS = 3_600_000
/** As long as callers are told to wait: who comes meanwhile is told so at once. */
const FAILURE_HELD_MS = RETRY_AFTER_SECONDS * 1_000

/**
 * The provider's metadata, asked for once an hour behind everybody's back: the last answer goes on meanwhile. Only who
 * comes before there is any waits for it, and nobody does for some seconds after it could not be had.
 */
export function keepDiscovery(settings: ProviderSettings, now: () => Date): () => Promise<Configuration> {
  let known: { configuration: Configuration; atMs: number } | undefined
  let failed: { error: unknown; atMs: number } | undefined
  let asking: Promise<Configuration> | undefined

  async function ask(): Promise<Configuration> {
    try {
      const configuration = await discover(settings)
      known = { configuration, atMs: now().getTime() }
      failed = undefined
      return configuration
    } catch (error) {
      failed = { error, atMs: now().getTime() }
      throw away(error)
    } finally {
      asking = undefined
    }
  }

  return async () => {
    if (settings.clientId === '') {
      throw new AppError('oauth.not_configured', 'Sign-in with Google is not set up here.')
    }
    const nowMs = now().getTime()
    const hasFailed = failed !== undefined && nowMs - failed.atMs < FAILURE_HELD_MS
    if (known === undefined) {
      if (hasFailed) throw away(failed?.error)
      return (asking ??= ask())
    }
    if (nowMs - known.atMs >= AGAIN_MS && !hasFailed) (asking ??= ask()).catch(() => {})
    return known.configuration
  }
}

async function discover({ issuer, clientId, clientSecret, timeoutSeconds }: ProviderSettings): Promise<Configuration> {
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(server, clientId, { client_secret: clientSecret }, ClientSecretPost(clientSecret), {
    // Of later calls too.
    timeout: timeoutSeconds,
    // Without it a signature is taken for granted, because the token came over TLS.
    execute: [enableNonRepudiationChecks, ...insecure],
  })
}
