import { t } from '@lingui/core/macro'
import { shortValue, type ValueDifference } from './diff-values.ts'

/** Lists changed values, one per line. */
export function Differences({ changes }: { changes: readonly ValueDifference[] }) {
  if (changes.length === 0) return <p className="muted">{t`No differences.`}</p>
  return (
    <ul className="changes">
      {changes.map(({ path, before, after }) => (
        <li key={path} className="mono">
          <span className="faint">{path}</span> {shortValue(before)} → {shortValue(after)}
        </li>
      ))}
    </ul>
  )
}
