import { t } from '@lingui/core/macro'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { formatCount } from '../../../format/number.ts'
import { i18n } from '../../../language/i18n.ts'
import { shortValue, type ValueDifference } from '../diff-values.ts'
import { SHARED_SECTIONS, TIER_SECTIONS } from './tier-fields.ts'
import { placeOf, titleOf } from './TierList.tsx'

const FIELDS = new Map(
  [...TIER_SECTIONS, ...SHARED_SECTIONS].flatMap(({ fields }) => fields).map((one) => [one.at, one]),
)

/** Changes of tiers by the names that the form uses: "Pro, Requests per minute: 600 → 900". */
export function TierDifferences({ changes, tiers }: { changes: readonly ValueDifference[]; tiers: TierConfig }) {
  if (changes.length === 0) return <p className="muted">{t`No differences.`}</p>
  return (
    <ul className="changes">
      {changes.map(({ path, before, after }) => (
        <li key={path}>
          <span className="muted">{nameOf(path, tiers)}:</span> {inWords(before)} → {inWords(after)}
        </li>
      ))}
    </ul>
  )
}

function nameOf(path: string, tiers: TierConfig): string {
  const [, first = '', ...rest] = path.split('/')
  const place = placeOf(first)
  const field = FIELDS.get(`/${rest.join('/')}`)
  return place === first && field !== undefined ? `${titleOf(place, tiers)}, ${i18n._(field.label)}` : path
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return t`none`
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatCount(value)
  if (Array.isArray(value)) return value.map((entry) => `“${String(entry)}”`).join(', ')
  return typeof value === 'string' ? `“${value}”` : shortValue(value)
}
