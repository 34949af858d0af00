import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { FlagChange, FlagState } from '@tapeline/contracts/config/flags'
import { i18n } from '../../../language/i18n.ts'
import { formatDateTime } from '../../../format/date.ts'
import { formatPercent } from '../../../format/number.ts'

export type ChangeDescription = { title: string; details: string[] }

/** A change of a flag in words: what happened, and what else is different. Times are in `timeZone`. */
export function describeChange({ before, after }: FlagChange, timeZone: string): ChangeDescription {
  if (before === null)
    return { title: t`Created`, details: [after.enabled ? t`role ${after.role}, on` : t`role ${after.role}, off`] }
  const details = DETAILS.flatMap(({ name, show }) => {
    const [was, is] = [show(before, timeZone), show(after, timeZone)]
    return was === is ? [] : [`${i18n._(name)}: ${was} → ${is}`]
  })
  return { title: titleOf(before, after), details }
}

function titleOf(before: FlagState, after: FlagState): string {
  if (before.is_active !== after.is_active) return after.is_active ? t`Restored` : t`Removed`
  if (before.enabled !== after.enabled) return after.enabled ? t`Switched on` : t`Switched off`
  return t`Edited`
}

const DETAILS: readonly { name: MessageDescriptor; show: (state: FlagState, timeZone: string) => string }[] = [
  { name: msg`share`, show: (state) => formatPercent(state.rollout_percent / 100) },
  { name: msg`from`, show: (state, timeZone) => timeOr(state.enabled_from, t`at once`, timeZone) },
  { name: msg`until`, show: (state, timeZone) => timeOr(state.enabled_until, t`no end`, timeZone) },
  { name: msg`visitors`, show: (state) => (state.is_public ? t`visible` : t`hidden`) },
  { name: msg`description`, show: (state) => `“${state.description ?? ''}”` },
]

function timeOr(time: string | null, none: string, timeZone: string): string {
  return time === null ? none : formatDateTime(time, timeZone)
}

/** Restrictions of an enabled flag; undefined if there are none. */
export function scheduleOf(
  state: Pick<FlagState, 'rollout_percent' | 'enabled_from' | 'enabled_until'>,
  nowMs: number,
  timeZone: string,
) {
  const parts: string[] = []
  if (state.rollout_percent < 100) parts.push(t`${state.rollout_percent}% of accounts`)
  if (state.enabled_from !== null && Date.parse(state.enabled_from) > nowMs) {
    parts.push(t`from ${formatDateTime(state.enabled_from, timeZone)}`)
  }
  if (state.enabled_until !== null) {
    const hasEnded = Date.parse(state.enabled_until) <= nowMs
    const until = formatDateTime(state.enabled_until, timeZone)
    parts.push(hasEnded ? t`ended ${until}` : t`until ${until}`)
  }
  return parts.length === 0 ? undefined : parts.join(', ')
}
