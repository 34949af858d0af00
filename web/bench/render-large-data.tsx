import '../src/styles/fonts.css'
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import '../src/styles/ui.css'
import '../src/styles/layouts.css'
import '../src/pages/metrics/metrics.css'
import '../src/pages/requests/requests.css'
import { I18nProvider } from '@lingui/react'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { type ReactNode, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { i18n } from '../src/language/i18n.ts'
import { createObservable } from '../src/observable.ts'
import { LatencyPanel } from '../src/pages/metrics/chart/LatencyPanel.tsx'
import { RequestLog } from '../src/pages/requests/RequestLog.tsx'
import { createBrowserRouter, RouterProvider } from '../src/router.ts'
import { longUsage, manyRequests } from './large-data.ts'

type Drawn = { drawChart: (points: number) => Promise<number>; drawLog: (rows: number) => Promise<number> }
declare global {
  interface Window {
    largeData: Drawn
  }
}

const FILTER = { period: '90d', route: undefined, keyId: undefined } as const
const stage = createObservable<ReactNode>(null)

function Stage() {
  const content = useSyncExternalStore(stage.subscribe, stage.get)
  return (
    <I18nProvider i18n={i18n}>
      <main className="content">{content}</main>
    </I18nProvider>
  )
}

window.largeData = {
  drawChart: (points) => {
    const report: UsageReport = longUsage(points)
    return painted(<LatencyPanel isRangeChosen report={report} filter={FILTER} />)
  },
  drawLog: (rows) => {
    const page = manyRequests(rows)
    return painted(
      <RequestLog
        page={page}
        isFiltered={false}
        report={undefined}
        isReportDue={false}
        timeZone="UTC"
        chosen={undefined}
        onChoose={() => undefined}
        isBusy={false}
        isStale={false}
        cursors={[]}
        onTurn={() => undefined}
      />,
    )
  },
}

/** Time from the data to a frame on the screen. */
function painted(content: ReactNode): Promise<number> {
  const startedMs = performance.now()
  flushSync(() => stage.set(content))
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - startedMs)
      port2.postMessage(undefined)
    })
  })
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')
createRoot(root).render(<RouterProvider router={createBrowserRouter([{ path: '*', element: <Stage /> }])} />)
