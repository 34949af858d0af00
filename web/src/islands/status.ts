import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { poll } from './parts/poll.ts'
import { call } from './parts/call.ts'
import { partOf, setText } from './parts/dom.ts'
import { type Words, wordsOf } from './parts/words.ts'
import { evaluateTargets } from './status/evaluate-targets.ts'
import { showComponents, showUnknown } from './status/show-components.ts'
import { showLatency } from './status/show-latency.ts'
import { showFailures } from './status/show-failures.ts'
import { showStatusTable } from './status/show-status-table.ts'
import { showVerdict } from './status/show-verdict.ts'

/** The prober runs once a minute. */
const POLL_EVERY_MS = 60_000

/** Loads measurements repeatedly while the page is visible. Unreadable values are unknown, never good. */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  poll(POLL_EVERY_MS, async () => {
    try {
      show(root, (await call<{ data: PlatformStatus }>('/api/v1/status')).body.data, words)
    } catch {
      setText(root, 'headline', words('unreadable'))
      setText(root, 'as-of', words('again'))
      showUnknown(root, words)
      for (const name of ['uptime', 'p99']) showVerdict(root, name, { verdict: 'not_measured', words })
    }
  })
}

function show(root: HTMLElement, status: PlatformStatus, words: Words): void {
  const missed = Object.values(evaluateTargets(status)).filter((verdict) => verdict === 'missed').length
  setText(root, 'headline', words(headline(status, missed), { count: missed }))
  setText(
    root,
    'as-of',
    words('asOf', { time: status.as_of.slice('2026-11-20T'.length, '2026-11-20T08:30:00'.length) }),
  )
  const notice = partOf(root, 'notice')
  if (notice !== undefined) notice.hidden = status.notice === null
  setText(root, 'notice-text', status.notice?.message ?? '')
  partOf(root, 'notice-text')?.classList.toggle('warn', status.notice?.level === 'warning')
  showComponents(root, status, words)
  showLatency(root, status, words)
  showFailures(root, status, words)
  showStatusTable(root, status, words)
}

type Headline = 'someDown' | 'someDegraded' | 'targetMissed' | 'allUp' | 'nothing'

function headline({ components }: PlatformStatus, missed: number): Headline {
  const states = new Set(components.map(({ state }) => state))
  if (states.has('down')) return 'someDown'
  if (states.has('degraded')) return 'someDegraded'
  if (!states.has('up')) return 'nothing'
  return missed > 0 ? 'targetMissed' : 'allUp'
}
