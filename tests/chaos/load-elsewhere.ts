import { repeatRequest, type RequestCounts } from './repeat-request.ts'
import { repeatedRequests, type Visited } from './drills/rolling-restart-drill.ts'

/** The addresses of a platform that runs elsewhere. */
type Elsewhere = Visited & { urls: string[] }

const CLIENTS_FOR_EACH = 2
const REPORT_EVERY_MS = 1_000

// node load-elsewhere.ts '<Elsewhere as JSON>': sends requests until SIGTERM and reports the results each second.
const elsewhere = JSON.parse(process.argv[2] ?? '') as Elsewhere
const { brief } = await repeatedRequests(elsewhere)
const targets = elsewhere.urls.flatMap((url) =>
  brief.map((repeated) => ({ url, repeated, counts: { answered: 0, failed: {} } as RequestCounts })),
)
let isDone = false
process.once('SIGTERM', () => (isDone = true))
const reporting = setInterval(report, REPORT_EVERY_MS)
const clients = Array.from({ length: CLIENTS_FOR_EACH }, () =>
  targets.map(({ url, repeated, counts }) => repeatRequest(url, repeated, counts, () => isDone)),
)
await Promise.all(clients.flat())
clearInterval(reporting)
report()

/** All responses, and each failure with its part of the API. */
function report(): void {
  const answered = targets.reduce((sum, { counts }) => sum + counts.answered, 0)
  const failed = targets.flatMap(({ url, repeated, counts }) =>
    Object.entries(counts.failed).map(([outcome, times]) => [`${url}${repeated.path}: ${outcome}`, times] as const),
  )
  console.log(JSON.stringify({ answered, failed: Object.fromEntries(failed) }))
}
