import { createHash } from 'node:crypto'
import { type Actor, type Role, ROLES, roleIncludes } from '@tapeline/contracts/actor'
import type { FlagRule } from '@tapeline/contracts/config/flags'
import type { FlagView, UserFlags } from '@tapeline/contracts/config/http'

/** null: a visitor who is not signed in. */
export type Viewer = { userId: string; role: Role } | null

const BUCKETS = 2 ** 32
const ALL_PERCENT = 100

/** The user whose flags apply to a caller; null for anonymous callers and services. */
export function viewerOf(actor: Actor): Viewer {
  return actor.kind === 'user' ? actor : null
}

/**
 * The flags of a caller: of all roles up to their own; visitors get the public flags of role user. A key used by
 * several roles is on when one of them is on, and that one's fields are returned.
 */
export function flagsOf(rules: readonly FlagRule[], viewer: Viewer, nowMs: number): UserFlags {
  const visible = rules.filter((rule) => isVisibleTo(rule, viewer))
  const flags = [...Map.groupBy(visible, ({ key }) => key)].map(([key, group]): FlagView => {
    const on = group.find((rule) => isOnFor(rule, viewer, nowMs))
    const { description, metadata } = on ?? group[0] ?? { description: null, metadata: {} }
    return { key, enabled: on !== undefined, description, metadata }
  })
  return { featureFlags: flags.filter(({ enabled }) => enabled).map(({ key }) => key), flags }
}

/** Whether one of the rules with this key is on for the caller. */
export function isFlagOn(rules: readonly FlagRule[], key: string, viewer: Viewer, nowMs: number): boolean {
  return rules.some((rule) => rule.key === key && isVisibleTo(rule, viewer) && isOnFor(rule, viewer, nowMs))
}

/** The times at which the schedule changes the flag, if it is enabled. */
export function flipTimesOf({ enabled, enabled_from, enabled_until }: FlagRule): number[] {
  if (!enabled) return []
  return [enabled_from, enabled_until].flatMap((time) => (time === null ? [] : [Date.parse(time)]))
}

/** The roles that a flag of this role applies to. */
export function rolesReached(role: Role): Role[] {
  return ROLES.filter((one) => roleIncludes(one, role))
}

/** Position of an account in a flag's rollout, from 0 to below 100: stable per account, different per flag. */
export function bucketPercent(key: string, accountId: string): number {
  const first = createHash('sha256').update(`${key}:${accountId}`).digest().readUInt32BE(0)
  return (first / BUCKETS) * ALL_PERCENT
}

function isVisibleTo({ role, is_public }: FlagRule, viewer: Viewer): boolean {
  return viewer === null ? role === 'user' && is_public : roleIncludes(viewer.role, role)
}

function isOnFor(rule: FlagRule, viewer: Viewer, nowMs: number): boolean {
  const { enabled, enabled_from, enabled_until, rollout_percent, key } = rule
  if (!enabled) return false
  if (enabled_from !== null && nowMs < Date.parse(enabled_from)) return false
  if (enabled_until !== null && nowMs >= Date.parse(enabled_until)) return false
  if (rollout_percent >= ALL_PERCENT) return true
  // Visitors have no account id, so they are in no partial rollout.
  return viewer !== null && bucketPercent(key, viewer.userId) < rollout_percent
}
