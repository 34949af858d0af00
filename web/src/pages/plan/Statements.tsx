import { plural, t } from '@lingui/core/macro'
import type { StatementSummary } from '@tapeline/contracts/audit/statements'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Menu } from '../../ui/Menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { formatCount } from '../../format/number.ts'
import { fetchInvoice, fetchStatement, statementsQuery } from './statements.queries.ts'

const SYSTEMS = { stripe: 'Stripe', openmeter: 'OpenMeter', lago: 'Lago' } as const

/** Signed statements of usage, by month. */
export function Statements() {
  const { data, isError } = useQuery(statementsQuery)
  return (
    <section className="panel" aria-labelledby="statements">
      <div className="panel-head">
        <h2 id="statements">{t`Usage statements`}</h2>
        <span className="small muted">{t`signed, one per month (UTC)`}</span>
      </div>
      {isError && <p className="message muted">{t`Statements could not be loaded.`}</p>}
      {data?.statements.length === 0 && (
        <p className="message muted">{t`No hour with usage has been closed yet. An hour closes about 15 minutes after its end.`}</p>
      )}
      <ul className="trials">
        {data?.statements.map((statement) => (
          <Row key={statement.month} statement={statement} />
        ))}
      </ul>
      <p className="panel-foot">
        {t`Anyone can verify a statement offline. A closed hour never changes; late requests are listed as corrections.`}
      </p>
    </section>
  )
}

function Row({ statement }: { statement: StatementSummary }) {
  const { month, final, requests, corrections } = statement
  const download = useMutation({
    mutationFn: (load: () => Promise<{ name: string; file: Blob }>) => load(),
    onSuccess: ({ name, file }) => saveFile(name, file),
    onError: (error) => showToast({ type: 'error', title: t`The download failed`, message: error.message }),
  })
  return (
    <li>
      <span>
        <b className="mono">{month}</b>{' '}
        <StateBadge tone={final ? 'ok' : 'off'}>{final ? t`final` : t`month to date`}</StateBadge>
      </span>
      <span className="muted">
        {plural(requests, { one: '# request', other: `${formatCount(requests)} requests` })}
        {corrections > 0 && `, ${plural(corrections, { one: '# correction', other: '# corrections' })}`}
      </span>
      <span className="end">
        <Menu
          label={t`Download the statement of ${month}`}
          trigger={
            <>
              <Download className="icon" aria-hidden="true" />
              {download.isPending ? t`Downloading` : t`Download`}
            </>
          }
          items={[
            { label: t`Signed statement, JSON`, onSelect: () => download.mutate(() => fetchStatement(month)) },
            ...Object.entries(SYSTEMS).map(([system, name]) => ({
              label: t`Invoice lines for ${name}`,
              onSelect: () => download.mutate(() => fetchInvoice(month, system)),
            })),
          ]}
        />
      </span>
    </li>
  )
}
