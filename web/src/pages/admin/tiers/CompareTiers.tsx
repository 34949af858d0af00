import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '../../../router.ts'
import { diffValues } from '../diff-values.ts'
import { Differences } from '../Differences.tsx'
import { VersionField } from '../VersionField.tsx'
import { pastTiersQuery } from './tiers.queries.ts'

/** Compares any two versions; both are in the URL. */
export function CompareTiers({ newest }: { newest: number }) {
  const [search, setSearch] = useSearchParams()
  const from = versionIn(search.get('from'), newest) ?? newest - 1
  const to = versionIn(search.get('to'), newest) ?? newest
  const before = useQuery(pastTiersQuery({ version: from }))
  const after = useQuery(pastTiersQuery({ version: to }))
  const error = before.error ?? after.error

  function choose(changed: Record<string, string>): void {
    setSearch({ ...Object.fromEntries(search), ...changed }, { replace: true })
  }

  return (
    <section className="panel" aria-labelledby="tier-compare">
      <div className="panel-head">
        <h2 id="tier-compare">{t`Compare versions`}</h2>
      </div>
      <div className="panel-body">
        <div className="two-fields">
          <VersionField
            label={t`From`}
            newest={newest}
            value={from}
            onChoose={(version) => choose({ from: `${version}` })}
          />
          <VersionField label={t`To`} newest={newest} value={to} onChoose={(version) => choose({ to: `${version}` })} />
        </div>
        {error !== null && <p className="muted">{error.message}</p>}
        {before.data !== undefined && after.data !== undefined && (
          <Differences changes={diffValues(before.data.tiers, after.data.tiers)} />
        )}
      </div>
    </section>
  )
}

function versionIn(text: string | null, newest: number): number | undefined {
  const version = Number(text)
  return Number.isInteger(version) && version >= 1 && version <= newest ? version : undefined
}
