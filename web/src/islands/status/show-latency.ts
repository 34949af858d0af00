import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { say } from '../parts/dom.ts'
import { formatMs, formatNumber, formatShare, type Words } from '../parts/words.ts'
import { drawHistogram } from './draw-histogram.ts'
import { evaluateTargets } from './evaluate-targets.ts'
import { measuredDays } from './measured-days.ts'
import { showVerdict } from './show-verdict.ts'

export function showLatency(root: HTMLElement, status: PlatformStatus, words: Words): void {
  const { latency, availability } = status
  const ms = (value: number | null): string => (value === null ? words('not_measured') : `${formatMs(value)} ms`)
  say(root, 'p50', ms(latency.p50_ms))
  say(root, 'p95', ms(latency.p95_ms))
  say(root, 'p99', ms(latency.p99_ms))
  say(root, 'uptime', availability === null ? words('not_measured') : formatShare(availability))
  const { uptime, response } = evaluateTargets(status)
  showVerdict(root, 'uptime', { verdict: uptime, words })
  showVerdict(root, 'p99', { verdict: response, words })
  say(root, 'requests', formatNumber(measuredDays(status).counted))
  say(root, 'counted', latency.count === 0 ? words('not_measured') : words('counted', { count: latency.count }))
  drawHistogram(root, latency, words)
}
