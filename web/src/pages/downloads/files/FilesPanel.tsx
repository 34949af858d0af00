import { plural, t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import type { CoverageLine } from '../calendar/coverage-days.ts'
import type { DownloadsFilter } from '../downloads-filter.ts'
import type { Days } from '../downloads.queries.ts'
import { FilesBar } from './FilesBar.tsx'
import { FilesTable } from './FilesTable.tsx'
import { listedFiles, totalsOf } from './listed-files.ts'

const FIRST_ROWS = 12

type Props = {
  instrument: Instrument
  /** Lines of the instrument, of the channels of the filter. */
  lines: readonly CoverageLine[]
  filter: DownloadsFilter
  days: Days
}

/** The files of the chosen days, and how to get them. */
export function FilesPanel({ instrument, lines, filter, days }: Props) {
  const [isWhole, setWhole] = useState(false)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const files = listedFiles(lines, filter)
  const chosen = files.filter(({ id }) => !excluded.has(id))
  const rows = isWhole ? files : files.slice(0, FIRST_ROWS)
  const { symbol, venue } = instrument
  return (
    <section className="panel" aria-labelledby="files">
      <div className="panel-head">
        <h2 id="files">{t`Files`}</h2>
        <span className="small muted">
          {t`${symbol}, ${venue}, Parquet with zstd`}
          {files.length > 0 && `, ${plural(files.length, { one: '# file', other: '# files' })}`}
        </span>
      </div>
      {files.length === 0 ? (
        <NoFiles />
      ) : (
        <>
          <FilesTable files={rows} all={files} excluded={excluded} onExclude={setExcluded} />
          {rows.length < files.length && (
            <p className="panel-foot">
              <Button
                variant="quiet"
                size="small"
                icon={<ChevronDown className="icon" aria-hidden="true" />}
                onClick={() => setWhole(true)}
              >
                {plural(files.length - rows.length, { one: 'Show # more file', other: 'Show # more files' })}
              </Button>
            </p>
          )}
          <FilesBar
            chosen={chosen}
            totals={totalsOf(chosen)}
            call={{
              venue,
              symbol,
              channel: filter.channel,
              from: filter.from ?? days.first,
              to: filter.to ?? days.last,
            }}
          />
        </>
      )}
    </section>
  )
}

function NoFiles() {
  return (
    <div className="message">
      <h3>{t`No files for these days`}</h3>
      <p>
        {t`A day becomes a file about 24 hours after it ends. Until then its records are read over the API. Choose other days or another instrument above.`}
      </p>
    </div>
  )
}
