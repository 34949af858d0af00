import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { poll } from './parts/poll.ts'
import { call } from './parts/call.ts'
import { make, partOf, setText } from './parts/dom.ts'
import { formatMs, formatShare, type Words, wordsOf } from './parts/words.ts'
import { evaluateTargets } from './status/evaluate-targets.ts'
import { measuredDays } from './status/measured-days.ts'
import { showVerdict } from './status/show-verdict.ts'

const POLL_EVERY_MS = 60_000

/** The figures of the status page, each compared with its target; without data no verdict is shown. */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  poll(POLL_EVERY_MS, async () => {
    const { data } = (await call<{ data: PlatformStatus }>('/api/v1/status')).body
    showResponse(root, data, words)
    showUptime(root, data, words)
    const { response, uptime } = evaluateTargets(data)
    showVerdict(root, 'response', { verdict: response, words })
    showVerdict(root, 'uptime', { verdict: uptime, words })
  })
}

function showResponse(root: HTMLElement, { latency: { p99_ms } }: PlatformStatus, words: Words): void {
  const figure = partOf(root, 'response')
  if (figure === undefined || p99_ms === null) return
  figure.className = 'value'
  figure.replaceChildren(formatMs(p99_ms), make('span', { class: 'unit' }, 'ms'))
  setText(root, 'response-within', words('within'))
}

function showUptime(root: HTMLElement, data: PlatformStatus, words: Words): void {
  const figure = partOf(root, 'uptime')
  if (figure === undefined || data.availability === null) return
  const { days, counted } = measuredDays(data)
  figure.className = 'value'
  setText(root, 'uptime', formatShare(data.availability))
  setText(root, 'uptime-detail', `${words('counted', { count: counted })} ${words('days', { count: days })}`)
}
