import { type Static, Type } from 'typebox'

const OptionalText = Type.Union([Type.String(), Type.Null()])

export const TrailFault = Type.Object({
  /**
   * `altered`: its fields or hash are not those that were written. `removed`, `truncated` (with everything behind it),
   * `reordered`, `added`: compared with the anchors. `unchained`: not anchored yet, and altered, or an entry before it
   * in its chain is missing. `erased`: without personal data although its account was not deleted. `anchor`: an anchor
   * is missing or damaged, so that entries behind the one before it cannot be compared.
   */
  kind: Type.Enum(['altered', 'removed', 'truncated', 'reordered', 'added', 'unchained', 'erased', 'anchor'] as const),
  entry: OptionalText,
  position: OptionalText,
  scope: Type.Union([Type.String(), Type.Null()], {
    description: 'Account of the entry, or `*` for the platform; null if it is not known.',
  }),
  text: Type.String(),
})

/** Whether every entry of the audit trail is as it was written. */
export const TrailIntegrity = Type.Object({
  isRight: Type.Boolean(),
  entries: Type.Integer(),
  chains: Type.Integer(),
  anchors: Type.Integer(),
  anchored_entries: Type.Integer(),
  anchored_at: OptionalText,
  /** The first altered, removed, reordered or added entry. */
  fault: Type.Union([TrailFault, Type.Null()]),
})
export type TrailIntegrity = Static<typeof TrailIntegrity>
export type TrailFault = Static<typeof TrailFault>

export const TrailCheck = Type.Object({
  state: Type.Enum(['never', 'running', 'done'] as const, {
    description: 'Whether the trail was verified, or is being.',
  }),
  started_at: OptionalText,
  finished_at: OptionalText,
  /** Result of the latest check that finished. */
  verdict: Type.Union([TrailIntegrity, Type.Null()], { description: 'Result of the latest completed verification.' }),
  /** False when no object store is configured, so that no anchors are made. */
  has_store: Type.Boolean(),
})
export type TrailCheck = Static<typeof TrailCheck>
