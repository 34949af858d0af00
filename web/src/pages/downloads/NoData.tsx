import { t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { Command } from '../../ui/Command.tsx'
import { CalendarSkeleton } from './calendar/CalendarSkeleton.tsx'

/** Not an argument of any call: a file name in a command that shows how data gets in. */
const IMPORT_COMMAND = 'npm run import -- BTCUSDT-trades-2024-08-08.zip'

/** Shown until something has been recorded or imported. */
export function NoData() {
  return (
    <section className="panel downloads" aria-labelledby="no-data">
      <CalendarSkeleton />
      <div className="message">
        <h2 id="no-data">{t`No records yet`}</h2>
        <p>
          {t`A day of an instrument becomes a file about 24 hours after it ends. Imported past days become files when their import ends.`}
        </p>
        <p>{t`An operator of this platform imports recorded data with this command:`}</p>
        <Command>{IMPORT_COMMAND}</Command>
        <a className="link" href={paths.docsMarketData}>
          {t`Read the market data guide`}
        </a>
      </div>
    </section>
  )
}
