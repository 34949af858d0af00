import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../../format/date.ts'
import { useSearchParams } from '../../../router.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TimeInput } from '../../../ui/TimeInput.tsx'
import { diffValues } from '../diff-values.ts'
import { Differences } from '../Differences.tsx'
import { pastTiersQuery } from './tiers.queries.ts'

type TiersAtProps = { newest: TierEdition; onRestore: (version: number) => void }

/** Which documents the gateways enforced at a time; the time is in the URL. */
export function TiersAt({ newest, onRestore }: TiersAtProps) {
  const [search, setSearch] = useSearchParams()
  const typed = search.get('at') ?? ''
  const at = timeOf(typed)
  return (
    <section className="panel" aria-labelledby="tier-held">
      <div className="panel-head">
        <h2 id="tier-held">{t`Version in effect at a given time`}</h2>
      </div>
      <div className="panel-body">
        <Field label={t`Time (UTC)`}>
          {(control) => (
            <TimeInput
              {...control}
              type="datetime-local"
              className="mono tier-at"
              value={typed}
              onPick={(value) => {
                const { at: _, ...rest } = Object.fromEntries(search)
                setSearch(value === '' ? rest : { ...rest, at: value }, { replace: true })
              }}
            />
          )}
        </Field>
        {at !== undefined && <SnapshotAt at={at} newest={newest} onRestore={onRestore} />}
      </div>
    </section>
  )
}

function SnapshotAt({ at, newest, onRestore }: TiersAtProps & { at: string }) {
  const past = useQuery(pastTiersQuery({ at }))
  if (past.data === undefined) return <p className="muted">{past.isError ? past.error.message : t`Loading`}</p>
  const { version, written_at, tiers } = past.data
  return (
    <div className="tier-held" role="status">
      <p>
        <Trans>
          <b className="medium">Version {version}</b>, written {formatDateTime(written_at)} UTC.
        </Trans>{' '}
        {version === newest.version ? t`It is also the current value.` : t`Differences from the current version:`}
      </p>
      {version !== newest.version && (
        <>
          <Differences changes={diffValues(tiers, newest.tiers)} />
          <Button size="small" onClick={() => onRestore(version)}>
            <Trans>Restore version {version}</Trans>
          </Button>
        </>
      )}
    </div>
  )
}

/** The browser's date-time field has no time zone; the value is UTC. */
function timeOf(typed: string): string | undefined {
  const time = new Date(`${typed}Z`)
  return typed === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
