import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { TrailEntry } from '@tapeline/contracts/audit/trail'
import { formatClock, formatDate } from '../../format/date.ts'
import { useUser } from '../../session/use-session.ts'
import { Table } from '../../ui/Table.tsx'
import { changesOf, wordsOf } from './trail-words.ts'

const HASH_SHOWN = 8

export function TrailTable({ entries, timeZone }: { entries: readonly TrailEntry[]; timeZone: string }) {
  const { id: userId } = useUser()
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Audit trail, table`}>
      <Table
        className="trail"
        caption={t`Audit trail, newest first`}
        rows={entries}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'time',
            head: t`Time, ${timeZone}`,
            className: 'nowrap',
            cell: ({ time }) => (
              <time className="mono" dateTime={time}>
                <span className="t3">{formatDate(time, timeZone)}</span> {formatClock(time, timeZone)}
              </time>
            ),
          },
          { key: 'what', head: t`What`, cell: (entry) => <What entry={entry} /> },
          { key: 'who', head: t`Who`, className: 'nowrap', cell: ({ actor }) => whoOf(actor, userId) },
          {
            key: 'network',
            head: t`Network`,
            className: 'nowrap',
            cell: ({ network }) =>
              network === null ? <span className="t3">{t`none`}</span> : <span className="mono">{network}</span>,
          },
          {
            key: 'hash',
            head: t`Hash`,
            cell: ({ hash }) => (
              <span className="mono t3" title={hash}>
                {hash.slice(0, HASH_SHOWN)}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

function whoOf({ kind, id }: TrailEntry['actor'], userId: string): string {
  if (id === userId) return t`you`
  if (kind === 'anonymous') return t`not signed in`
  if (kind === 'system' || kind === 'service') return id ?? t`the platform`
  return id === null ? kind : `${kind} ${id.slice(0, 8)}`
}

/** What happened, and behind a disclosure everything that was recorded of it. */
function What({ entry }: { entry: TrailEntry }) {
  const { type, before, after, reason, details, subject } = entry
  const changes = changesOf(before, after)
  return (
    <details className="entry">
      <summary>
        <span className="med">{wordsOf(type)}</span>
        {changes.length > 0 && (
          <span className="t2 t13">
            {' '}
            {changes
              .map(({ field }) => field)
              .filter(Boolean)
              .join(', ')}
          </span>
        )}
      </summary>
      {changes.length > 0 && (
        <dl className="changes">
          {changes.map((change) => (
            <div key={change.field}>
              <dt>{change.field === '' ? t`value` : change.field}</dt>
              <dd className="mono">
                <del>{change.before}</del> <span aria-hidden="true">→</span> <ins>{change.after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {reason !== null && (
        <p className="t13">
          <Trans>Reason: {reason}</Trans>
        </p>
      )}
      <p className="mono t12 t3">
        {type} · {subject}
      </p>
      {hasFields(details) && (
        <pre className="code" tabIndex={0} aria-label={t`${wordsOf(type)}, all that was recorded`}>
          {JSON.stringify(details, undefined, 2)}
        </pre>
      )}
    </details>
  )
}

function hasFields(details: unknown): boolean {
  return typeof details === 'object' && details !== null && Object.keys(details).length > 0
}
