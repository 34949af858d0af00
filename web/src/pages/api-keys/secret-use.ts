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

/**
 * Which secrets work after a replacement with this grace period. During an earlier one there are two, of which the API
 * keeps the one that programs use.
 */
export function replacementText(
  { grace, secret_last_used_at: usedAt }: Pick<ApiKey, 'grace' | 'secret_last_used_at'>,
  graceSeconds: number,
): string {
  if (grace === null) {
    return graceSeconds === 0
      ? t`You get a new key with the same name and history. The old one stops working at once.`
      : t`You get a new key with the same name and history. Both work until the grace period ends, and the page shows which one is used.`
  }
  const { prefix } = grace
  if (graceSeconds === 0) return t`You get a new key. The current one and ${prefix}… stop working at once.`
  return usedAt === null
    ? t`You get a new key. The current one was never used and stops working at once; ${prefix}… keeps working, at least until the grace period ends.`
    : t`You get a new key. The current one works until the grace period ends; ${prefix}… stops working at once.`
}
