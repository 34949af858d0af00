import { t } from '@lingui/core/macro'
import { formatDate } from '../../../format/date.ts'
import { formatBytes, formatCount } from '../../../format/number.ts'
import { Table } from '../../../ui/rows/Table.tsx'
import { channelName } from '../names.ts'
import type { CoverageLine } from './coverage-days.ts'

/** The calendar in figures. */
export function CoverageTable({ lines }: { lines: readonly CoverageLine[] }) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Coverage, table`}>
      <Table
        caption={t`Coverage per instrument and channel`}
        rows={lines}
        rowKey={({ instrument, channel }) => `${instrument.instrument_id} ${channel}`}
        columns={[
          {
            key: 'instrument',
            head: t`Instrument`,
            className: 'nowrap',
            cell: ({ instrument: { symbol, venue } }) => (
              <span translate="no">
                {symbol} <span className="muted">{venue}</span>
              </span>
            ),
          },
          { key: 'channel', head: t`Channel`, className: 'nowrap', cell: ({ channel }) => channelName(channel) },
          { key: 'sealed', head: t`Sealed days`, isNumber: true, cell: ({ sealed }) => formatCount(sealed) },
          { key: 'size', head: t`Size`, isNumber: true, cell: (line) => formatBytes(bytesOf(line)) },
          { key: 'empty', head: t`Days without a record`, isNumber: true, cell: ({ empty }) => formatCount(empty) },
          { key: 'gaps', head: t`Gaps`, isNumber: true, cell: ({ gaps }) => formatCount(gaps) },
          {
            key: 'final',
            head: t`Final through`,
            className: 'nowrap',
            cell: ({ finalTo }) => (finalTo === undefined ? t`none` : formatDate(finalTo)),
          },
        ]}
      />
    </div>
  )
}

function bytesOf({ days }: CoverageLine): number {
  return days.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0)
}
