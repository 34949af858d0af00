import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { sentNumber } from '../limit-fields.ts'
import type { FieldKind } from './tier-fields.ts'

/** Edited values by JSON pointer; contains only edited fields. */
export type TierEdits = Readonly<Record<string, { kind: FieldKind; typed: string | boolean }>>

/** The tier documents with the edits applied; also used for newer documents. */
export function editedTiers(tiers: TierConfig, edits: TierEdits): unknown {
  const edited: unknown = structuredClone(tiers)
  for (const [pointer, { kind, typed }] of Object.entries(edits)) set(edited, pointer, sentValue(kind, typed))
  return edited
}

/** Removes an edit that equals the current value. */
export function withEdit(
  edits: TierEdits,
  tiers: TierConfig,
  { pointer, kind, typed }: { pointer: string; kind: FieldKind; typed: string | boolean },
): TierEdits {
  const others = Object.fromEntries(Object.entries(edits).filter(([name]) => name !== pointer))
  return typed === typedAs(kind, get(tiers, pointer)) ? others : { ...others, [pointer]: { kind, typed } }
}

/** The displayed value of a field. */
export function shownIn(edits: TierEdits, tiers: TierConfig, field: { pointer: string; kind: FieldKind }) {
  return edits[field.pointer]?.typed ?? typedAs(field.kind, get(tiers, field.pointer))
}

function typedAs(kind: FieldKind, value: unknown): string | boolean {
  if (kind === 'flag') return value === true
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Parsed as by the server. Text that is not a number is sent unchanged, and the server reports the field. */
function sentValue(kind: FieldKind, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed
  switch (kind) {
    case 'number':
      return sentNumber(typed)
    case 'number?':
      return sentNumber(typed) ?? undefined
    case 'words?':
      return typed.trim() === '' ? null : typed.trim()
    case 'lines':
      return typed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
    case 'words':
    case 'flag':
      return typed.trim()
  }
}

function get(value: unknown, pointer: string): unknown {
  let here: unknown = value
  for (const name of partsOf(pointer)) here = isRecord(here) ? here[name] : undefined
  return here
}

function set(value: unknown, pointer: string, to: unknown): void {
  const parts = partsOf(pointer)
  const last = parts.pop()
  const parent = get(value, parts.map((part) => `/${part}`).join(''))
  if (!isRecord(parent) || last === undefined) return
  if (to === undefined) delete parent[last]
  else parent[last] = to
}

function partsOf(pointer: string): string[] {
  return pointer.split('/').filter(Boolean)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
