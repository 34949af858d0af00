import { t } from '@lingui/core/macro'
import type {
  ConfigUpdate,
  FailedConfig,
  GlobalConfig,
  UpdatedConfigs,
} from '@tapeline/contracts/config/global-configs'
import type { FieldError } from '../../../api/api-error.ts'
import { diffValues, type ValueDifference } from '../diff-values.ts'
import { checkJson, writeJson } from './check-json.ts'

/** A configuration as it was when editing began. */
export type Base = Pick<GlobalConfig, 'id' | 'version' | 'value'>
/** The text being edited and the version it is based on. */
export type Draft = { text: string; base: Base; failure?: string }
export type Drafts = Readonly<Record<string, Draft>>
type Bases = Readonly<Record<string, Base>>
/** A draft that was sent, with its text at that time. */
export type Sent = { update: ConfigUpdate; text: string }

const CONFLICT = 'global_config.changed_meanwhile'
/** Never stored, or reverted to the default. */
const NOTHING_STORED: Base = { id: null, version: 0, value: undefined }

export function newDraft({ id, version, value }: Base): Draft {
  return { text: writeJson(value), base: { id, version, value } }
}

/** Drafts that can be sent, based on the edited version or on the one displayed since. */
export function sentOf(drafts: Drafts, keys: readonly string[], shown: Bases = {}): Sent[] {
  return keys.flatMap((key) => {
    const draft = drafts[key]
    const json = draft && checkJson(draft.text)
    if (draft === undefined || json?.ok !== true) return []
    const { id, version } = shown[key] ?? draft.base
    return [{ update: { id, key, value: json.value, version }, text: draft.text }]
  })
}

/** State after the answer: stored drafts are removed unless edited in the meantime; failed drafts get their error. */
export function applyAnswer(drafts: Drafts, sent: readonly Sent[], { updated, failed }: UpdatedConfigs): Drafts {
  const textOf = new Map(sent.map(({ update, text }) => [update.key, text]))
  const stored = new Map(updated.map(({ key, id, version, value }) => [key, { id, version, value }]))
  const valid = Object.entries(drafts).flatMap(([key, draft]) => {
    const base = stored.get(key)
    if (base === undefined) return [[key, draft] as const]
    return draft.text === textOf.get(key) ? [] : [[key, { text: draft.text, base }] as const]
  })
  const failures = failed.filter((one) => !isOutdated(one)).map((one) => [one.key, messageOf(one)])
  return withFailures(Object.fromEntries(valid), Object.fromEntries(failures))
}

export function withFailures(drafts: Drafts, failures: Readonly<Record<string, string>>): Drafts {
  return Object.fromEntries(
    Object.entries(drafts).map(([key, draft]) => {
      const failure = failures[key]
      return [key, failure === undefined ? draft : { ...draft, failure }]
    }),
  )
}

/** Whether there is unsaved input. */
export function hasTyped(drafts: Drafts): boolean {
  return Object.values(drafts).some(({ text, base }) => text !== writeJson(base.value))
}

export function withoutDrafts(drafts: Drafts, keys: readonly string[]): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([key]) => !keys.includes(key)))
}

export function isOutdated({ code }: { code: string }): boolean {
  return code === CONFLICT
}

/** Drafts in conflict with another user's change, located by the JSON pointers of the problem answer. */
export function outdatedKeys(errors: readonly FieldError[], sent: readonly Sent[]): string[] {
  const places = new Set(errors.map(({ field }) => /^\/updates\/(\d+)\//.exec(field)?.[1]))
  return sent.flatMap(({ update }, place) => (places.has(String(place)) ? [update.key] : []))
}

/** Other users' versions of edited configurations, and the displayed ones: only those may be overwritten. */
export function shownOf(keys: readonly string[], now: Bases): Bases {
  return Object.fromEntries(keys.map((key) => [key, now[key] ?? NOTHING_STORED]))
}

export function differencesTo(drafts: Drafts, shown: Bases): ValueDifference[] {
  const all = Object.entries(shown)
  return all.flatMap(([key, { value }]) =>
    diffValues(drafts[key]?.base.value, value).map((one) =>
      all.length === 1 ? one : { ...one, path: `${key} ${one.path}` },
    ),
  )
}

/** Error of a configuration that was rejected while others were stored. */
function messageOf({ error }: FailedConfig): string {
  return t`Update failed: ${error || t`Unknown error`}`
}
