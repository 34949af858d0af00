import type { FlagChange, FlagState } from '@tapeline/contracts/config/flags'
import { formatDateTime } from '../../../format/date.ts'

export type ToldChange = { title: string; details: string[] }

/** A change of a flag in words: what happened, and what else is different. */
export function describeChange({ before, after }: FlagChange): ToldChange {
  if (before === null) return { title: 'Created', details: [`role ${after.role}, ${after.enabled ? 'on' : 'off'}`] }
  const details = DETAILS.flatMap(({ name, show }) => {
    const [was, is] = [show(before), show(after)]
    return was === is ? [] : [`${name} ${was} → ${is}`]
  })
  return { title: titleOf(before, after), details }
}

function titleOf(before: FlagState, after: FlagState): string {
  if (before.is_active !== after.is_active) return after.is_active ? 'Restored' : 'Removed'
  if (before.enabled !== after.enabled) return after.enabled ? 'Switched on' : 'Switched off'
  return 'Edited'
}

const DETAILS: readonly { name: string; show: (state: FlagState) => string }[] = [
  { name: 'share', show: (state) => `${state.rollout_percent} %` },
  { name: 'from', show: (state) => timeOr(state.enabled_from, 'at once') },
  { name: 'until', show: (state) => timeOr(state.enabled_until, 'no end') },
  { name: 'visitors', show: (state) => (state.is_public ? 'see it' : 'do not see it') },
  { name: 'description', show: (state) => `“${state.description ?? ''}”` },
]

function timeOr(time: string | null, none: string): string {
  return time === null ? none : formatDateTime(time)
}

/** What narrows a flag that is on; undefined: nothing does. */
export function scheduleOf(
  state: Pick<FlagState, 'rollout_percent' | 'enabled_from' | 'enabled_until'>,
  nowMs: number,
) {
  const parts: string[] = []
  if (state.rollout_percent < 100) parts.push(`${state.rollout_percent} % of accounts`)
  if (state.enabled_from !== null && Date.parse(state.enabled_from) > nowMs) {
    parts.push(`from ${formatDateTime(state.enabled_from)}`)
  }
  if (state.enabled_until !== null) {
    const isOver = Date.parse(state.enabled_until) <= nowMs
    parts.push(`${isOver ? 'ended' : 'until'} ${formatDateTime(state.enabled_until)}`)
  }
  return parts.length === 0 ? undefined : parts.join(', ')
}
