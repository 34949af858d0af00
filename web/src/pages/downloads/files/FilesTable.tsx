import { plural, t } from '@lingui/core/macro'
import { Terminal } from 'lucide-react'
import { formatDay, formatWeekday } from '../../../format/day.ts'
import { formatBytes, formatCount } from '../../../format/number.ts'
import { publicApiUrl } from '../../../platform.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { type Column, Table } from '../../../ui/rows/Table.tsx'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { gapWords } from '../calendar/coverage-words.ts'
import { channelName } from '../names.ts'
import { DownloadOne } from './DownloadOne.tsx'
import { fileCall } from './calls.ts'
import type { ListedFile } from './listed-files.ts'

type Props = {
  /** Displayed files. */
  files: readonly ListedFile[]
  all: readonly ListedFile[]
  excluded: ReadonlySet<string>
  onExclude: (excluded: ReadonlySet<string>) => void
}

const HASH_BEGIN = 8
const HASH_END = 4

export function FilesTable({ files, all, excluded, onExclude }: Props) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Files, table`}>
      <Table
        className="files"
        caption={t`Files, newest day first`}
        rows={files}
        rowKey={({ id }) => id}
        columns={[choiceColumn({ all, excluded, onExclude }), ...COLUMNS()]}
      />
    </div>
  )
}

function choiceColumn({ all, excluded, onExclude }: Omit<Props, 'files'>): Column<ListedFile> {
  const toggle = (id: string) => {
    const next = new Set(excluded)
    if (!next.delete(id)) next.add(id)
    onExclude(next)
  }
  return {
    key: 'choice',
    className: 'choice',
    head: (
      <label className="check">
        <input
          type="checkbox"
          aria-label={t`All files`}
          checked={excluded.size === 0}
          onChange={() => onExclude(excluded.size === 0 ? new Set(all.map(({ id }) => id)) : new Set())}
        />
      </label>
    ),
    cell: (file) => (
      <label className="check">
        <input
          type="checkbox"
          aria-label={nameOf(file)}
          checked={!excluded.has(file.id)}
          onChange={() => toggle(file.id)}
        />
      </label>
    ),
  }
}

function nameOf({ date, dates, channel }: ListedFile): string {
  const last = dates.at(-1) ?? date
  const period = last === date ? formatDay(date) : t`${formatDay(date)} to ${formatDay(last)}`
  return `${period}, ${channelName(channel)}`
}

const COLUMNS = (): Column<ListedFile>[] => [
  {
    key: 'day',
    head: t`Day`,
    className: 'nowrap file-day',
    cell: (file) => <DaysOf {...file} />,
  },
  { key: 'channel', head: t`Channel`, className: 'nowrap file-channel', cell: ({ channel }) => channelName(channel) },
  { key: 'rows', head: t`Rows`, isNumber: true, className: 'file-rows', cell: ({ rows }) => formatCount(rows) },
  { key: 'size', head: t`Size`, isNumber: true, className: 'file-size', cell: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'sha256',
    head: 'SHA-256',
    className: 'nowrap file-sha',
    cell: (file) => (
      <>
        <span className="mono muted" title={file.sha256}>
          {file.sha256.slice(0, HASH_BEGIN)}…{file.sha256.slice(-HASH_END)}
        </span>{' '}
        <CopyButton size="small" text={file.sha256} label={t`Copy SHA-256 of ${nameOf(file)}`} />
      </>
    ),
  },
  { key: 'revision', head: t`Revision`, isNumber: true, className: 'file-revision', cell: ({ revision }) => revision },
  {
    key: 'state',
    head: t`State`,
    className: 'file-state',
    cell: ({ finality, gaps }) => (
      <>
        <State finality={finality} hasGaps={gaps.length > 0} />
        {gaps.length > 0 && <span className="muted small nowrap">{gapWords(gaps)}</span>}
      </>
    ),
  },
  {
    key: 'get',
    head: <span className="sr-only">{t`Get the file`}</span>,
    className: 'nowrap file-get',
    cell: (file) => (
      <>
        <CopyButton
          size="small"
          text={fileCall(file, publicApiUrl)}
          label={t`Copy ${nameOf(file)} as curl`}
          Icon={Terminal}
        />
        <DownloadOne file={file} name={nameOf(file)} />
      </>
    ),
  },
]

function DaysOf({ date, dates }: ListedFile) {
  return (
    <>
      <time className="mono" dateTime={date}>
        {date} <span className="faint">{formatWeekday(date)}</span>
      </time>
      {dates.length > 1 && (
        <span className="muted small nowrap"> {plural(dates.length, { one: '# day', other: '# days' })}</span>
      )}
    </>
  )
}

function State({ finality, hasGaps }: { finality: ListedFile['finality']; hasGaps: boolean }) {
  if (finality !== 'final') return <StateBadge tone="off">{t`May be revised`}</StateBadge>
  return hasGaps ? (
    <StateBadge tone="warn">{t`Final, with gaps`}</StateBadge>
  ) : (
    <StateBadge tone="ok">{t`Final`}</StateBadge>
  )
}
