import type { AdminFlag, FlagRule, FlagState } from '@tapeline/contracts/config/flags'
import type { FeatureFlagRow } from '../tables.ts'

/** Converts a row to the rule in the platform snapshot. */
export function presentRule(row: FeatureFlagRow): FlagRule {
  const { flag_key: key, is_active: _active, ...rule } = presentState(row)
  return { key, ...rule }
}

/** Converts a row to its changeable state. */
export function presentState(row: FeatureFlagRow): FlagState {
  const { key, role, enabled, is_active, is_public, description, category, priority, rollout_percent } = row
  return {
    flag_key: key,
    role,
    enabled,
    is_active,
    is_public,
    description,
    metadata: { ...(category === null ? {} : { category }), ...(priority === null ? {} : { priority }) },
    rollout_percent,
    enabled_from: row.enabled_from?.toISOString() ?? null,
    enabled_until: row.enabled_until?.toISOString() ?? null,
  }
}

export function presentAdminFlag(row: FeatureFlagRow): AdminFlag {
  const { id, version, created_at, updated_at } = row
  return {
    id,
    ...presentState(row),
    version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** The columns of a state; `deletedAt` when it is not active. */
export function rowOfState(state: FlagState, deletedAt: Date) {
  const { flag_key: key, metadata, enabled_from, enabled_until, ...rest } = state
  return {
    ...rest,
    key,
    category: metadata.category ?? null,
    priority: metadata.priority ?? null,
    enabled_from: enabled_from === null ? null : new Date(enabled_from),
    enabled_until: enabled_until === null ? null : new Date(enabled_until),
    deleted_at: state.is_active ? null : deletedAt,
  }
}
