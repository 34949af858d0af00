import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { formatAgo } from '../../format/duration.ts'

type SecretUse = { prefix: string; use: string }
export type TwoSecrets = { current: SecretUse; old: SecretUse & { until: string } }

/** Both secrets of a key while the replaced one still works, each with its own last use. */
export function twoSecretsOf({ prefix, grace, secret_last_used_at }: ApiKey, nowMs: number): TwoSecrets | undefined {
  if (grace === null || Date.parse(grace.until) <= nowMs) return undefined
  const ago = (at: string): string => t`last used ${formatAgo(Math.min(Date.parse(at), nowMs), nowMs)}`
  return {
    current: {
      prefix,
      use: secret_last_used_at === null ? t`The new one is not used yet` : ago(secret_last_used_at),
    },
    old: {
      prefix: grace.prefix,
      until: grace.until,
      use: grace.last_used_at === null ? t`not used` : ago(grace.last_used_at),
    },
  }
}
