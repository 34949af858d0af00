import { plural, t } from '@lingui/core/macro'
import { TIERS } from '@tapeline/contracts/actor'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import type { TierEdits } from './tier-edits.ts'
import { tierInWords } from './tier-fields.ts'

export const PLACES = [...TIERS, 'metadata', 'history'] as const
/** The open view: a tier, the common settings, or their history. */
export type TierPlace = (typeof PLACES)[number]

export function placeOf(text: string | null): TierPlace {
  return PLACES.find((place) => place === text) ?? 'free'
}

type TierListProps = {
  place: TierPlace
  tiers: TierConfig
  edits: TierEdits
  errors: Readonly<Record<string, string>>
  onOpen: (place: TierPlace) => void
}

export function TierList({ place, tiers, edits, errors, onOpen }: TierListProps) {
  const countOf = (pointers: object, one: TierPlace): number =>
    Object.keys(pointers).filter((pointer) => pointer.startsWith(`/${one}/`)).length
  return (
    <nav className="panel" aria-label={t`Tiers`}>
      <ul className="conf tier-list">
        {PLACES.map((one) => (
          <li key={one}>
            <button type="button" aria-current={one === place ? 'true' : undefined} onClick={() => onOpen(one)}>
              <span className="conf-name">
                <b className="medium">{titleOf(one, tiers)}</b>
                <Marks wrong={countOf(errors, one)} changed={countOf(edits, one)} />
              </span>
              <span className="small muted">{aboutOf(one, tiers)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Marks({ wrong, changed }: { wrong: number; changed: number }) {
  if (wrong > 0) return <StateBadge tone="bad">{plural(wrong, { one: '# error', other: '# errors' })}</StateBadge>
  return changed > 0 ? (
    <StateBadge tone="live">{plural(changed, { one: '# change', other: '# changes' })}</StateBadge>
  ) : null
}

export function titleOf(place: TierPlace, tiers: TierConfig): string {
  if (place === 'metadata') return t`All tiers`
  return place === 'history' ? t`History` : tiers[place].display.name
}

function aboutOf(place: TierPlace, tiers: TierConfig): string {
  if (place === 'metadata')
    return plural(tiers.metadata.defaultTrialPeriod, {
      one: '# day of trial by default',
      other: '# days of trial by default',
    })
  return place === 'history' ? t`Versions and comparison` : tierInWords(tiers[place])
}
