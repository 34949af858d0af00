import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { setText } from '../parts/dom.ts'
import { formatMs, formatNumber, formatShare, type Words } from '../parts/words.ts'
import { drawHistogram } from './draw-histogram.ts'
import { evaluateTargets } from './evaluate-targets.ts'
import { measuredDays } from './measured-days.ts'
import { showVerdict } from './show-verdict.ts'

export function showLatency(root: HTMLElement, status: PlatformStatus, words: Words): void {
  const { latency, availability } = status
  const ms = (value: number | null): string => (value === null ? words('not_measured') : `${formatMs(value)} ms`)
  setText(root, 'p50', ms(latency.p50_ms))
  setText(root, 'p95', ms(latency.p95_ms))
  setText(root, 'p99', ms(latency.p99_ms))
  setText(root, 'uptime', availability === null ? words('not_measured') : formatShare(availability))
  const { uptime, response } = evaluateTargets(status)
  showVerdict(root, 'uptime', { verdict: uptime, words })
  showVerdict(root, 'p99', { verdict: response, words })
  setText(root, 'requests', formatNumber(measuredDays(status).counted))
  setText(root, 'counted', latency.count === 0 ? words('not_measured') : words('counted', { count: latency.count }))
  drawHistogram(root, latency, words)
}
