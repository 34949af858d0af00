import { t } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import type { AdminFlag, CreateFlag, UpdateFlag } from '@tapeline/contracts/config/flags'
import { diffValues, type ValueDifference } from '../diff-values.ts'

/** A flag as entered in the form; times are UTC. */
export type FlagForm = {
  flag_key: string
  role: Role
  enabled: boolean
  is_public: boolean
  description: string
  rollout_percent: string
  enabled_from: string
  enabled_until: string
  reason: string
}

export type FlagErrors = { [field in keyof FlagForm | 'form']?: string }

export const emptyFlag: FlagForm = {
  flag_key: '',
  role: 'user',
  enabled: false,
  is_public: false,
  description: '',
  rollout_percent: '100',
  enabled_from: '',
  enabled_until: '',
  reason: '',
}

export function formOf(flag: AdminFlag): FlagForm {
  return {
    flag_key: flag.flag_key,
    role: flag.role,
    enabled: flag.enabled,
    is_public: flag.is_public,
    description: flag.description ?? '',
    rollout_percent: String(flag.rollout_percent),
    enabled_from: typed(flag.enabled_from),
    enabled_until: typed(flag.enabled_until),
    reason: '',
  }
}

export function checkFlag({ flag_key, rollout_percent, enabled_from, enabled_until }: FlagForm): FlagErrors {
  if (flag_key.trim() === '') return { flag_key: t`Give the flag a key` }
  const percent = percentOf(rollout_percent)
  if (percent === undefined) return { rollout_percent: t`A share from 0 to 100` }
  const isBackwards = enabled_from !== '' && enabled_until !== '' && enabled_from >= enabled_until
  return isBackwards ? { enabled_until: t`The end must be after the start` } : {}
}

export function percentOf(text: string): number | undefined {
  const percent = Number(text)
  return text.trim() !== '' && percent >= 0 && percent <= 100 ? percent : undefined
}

export function createBody(form: FlagForm): CreateFlag {
  return { flag_key: form.flag_key.trim(), role: form.role, ...ruleOf(form) }
}

/** Only changed fields, so that concurrent changes of other fields are kept. */
export function updateBody(form: FlagForm, flag: AdminFlag): UpdateFlag {
  const before = ruleOf(formOf(flag))
  const changes = Object.entries(ruleOf(form)).filter(([name, value]) => value !== before[name as keyof typeof before])
  return { flagId: flag.id, version: flag.version, ...Object.fromEntries(changes) }
}

/** Fields of a flag that another user changed, without version and time of change. */
export function flagDifferences(before: AdminFlag, after: AdminFlag): ValueDifference[] {
  return diffValues(stateOf(before), stateOf(after))
}

function stateOf({ version: _version, updated_at: _at, ...state }: AdminFlag): Partial<AdminFlag> {
  return state
}

function ruleOf(form: FlagForm) {
  return {
    enabled: form.enabled,
    is_public: form.is_public,
    description: form.description.trim() || null,
    rollout_percent: percentOf(form.rollout_percent) ?? 100,
    enabled_from: sent(form.enabled_from),
    enabled_until: sent(form.enabled_until),
    ...(form.reason.trim() === '' ? {} : { reason: form.reason.trim() }),
  }
}

/** The browser's date-time field has no time zone; the value is UTC. */
function typed(time: string | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 16)
}

function sent(text: string): string | null {
  return text === '' ? null : new Date(`${text}Z`).toISOString()
}
