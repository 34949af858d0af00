import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { TrailEntry } from '@tapeline/contracts/audit/trail'
import { formatClock, formatDate } from '../../format/date.ts'
import { useUser } from '../../session/use-session.ts'
import { Table } from '../../ui/rows/Table.tsx'
import { changeWords } from './change-words.ts'
import { actorWords, wordsOf } from './trail-words.ts'

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
            className: 'trail-time',
            cell: ({ time }) => (
              <time className="mono" dateTime={time}>
                <span className="faint">{formatDate(time, timeZone)}</span> {formatClock(time, timeZone)}
              </time>
            ),
          },
          {
            key: 'what',
            head: t`What`,
            className: 'trail-what',
            cell: (entry) => <What entry={entry} timeZone={timeZone} />,
          },
          {
            key: 'who',
            head: t`Who`,
            className: 'trail-who',
            cell: (entry) => <span data-head={t`Who`}>{actorWords(entry, userId)}</span>,
          },
          {
            key: 'network',
            head: t`Network`,
            className: 'trail-network',
            cell: ({ network }) => (
              <span data-head={t`Network`} className={network === null ? 'faint' : 'mono'}>
                {network ?? t`none`}
              </span>
            ),
          },
          {
            key: 'hash',
            head: t`Hash`,
            className: 'trail-hash',
            cell: ({ hash }) => (
              <span className="mono faint" title={hash}>
                {hash.slice(0, HASH_SHOWN)}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

/** Action, key, old and new values; the stored entry on demand. */
function What({ entry, timeZone }: { entry: TrailEntry; timeZone: string }) {
  const { type, target, reason } = entry
  const changes = changeWords(entry.changes, timeZone)
  return (
    <div className="entry">
      <p>
        <span className="medium">{wordsOf(type)}</span>
        {target.name !== null && (
          <>
            {': '}
            <b className="medium">{target.name}</b>
          </>
        )}
      </p>
      {changes.length > 0 && (
        <dl className="changes">
          {changes.map((change) => (
            <div key={change.field}>
              <dt>{change.field === '' ? t`Value` : change.field}</dt>
              <dd>
                <del>{change.before}</del> <span aria-hidden="true">→</span>
                <span className="sr-only">{t`changed to`}</span> <ins>{change.after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {reason !== null && (
        <p className="small muted">
          <Trans>Reason: {reason}</Trans>
        </p>
      )}
      <Recorded entry={entry} />
    </div>
  )
}

function Recorded({ entry: { type, subject, before, after, details } }: { entry: TrailEntry }) {
  return (
    <details>
      <summary className="size-12 faint">{t`Show JSON`}</summary>
      <pre className="code" tabIndex={0} aria-label={t`${wordsOf(type)}, recorded entry`}>
        {JSON.stringify({ type, subject, before, after, details }, undefined, 2)}
      </pre>
    </details>
  )
}
