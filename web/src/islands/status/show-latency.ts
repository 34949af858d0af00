import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { make, partOf, say } from '../parts/dom.ts'
import { formatMs, formatNumber, formatShare, type Words } from '../parts/words.ts'
import { measuredDays } from './measured-days.ts'

export function showLatency(root: HTMLElement, status: PlatformStatus, words: Words): void {
  const { latency, availability } = status
  const ms = (value: number | null): string => (value === null ? words('not_measured') : `${formatMs(value)} ms`)
  say(root, 'p50', ms(latency.p50_ms))
  say(root, 'p95', ms(latency.p95_ms))
  say(root, 'p99', ms(latency.p99_ms))
  say(root, 'uptime', availability === null ? words('not_measured') : formatShare(availability))
  say(root, 'requests', formatNumber(measuredDays(status).counted))
  say(root, 'counted', latency.count === 0 ? words('not_measured') : words('counted', { count: latency.count }))
  drawHistogram(root, latency, words)
}

function drawHistogram(
  root: HTMLElement,
  { histogram, p50_ms, p95_ms, p99_ms }: PlatformStatus['latency'],
  words: Words,
): void {
  const shown = filledPart(histogram)
  const highest = Math.max(1, ...shown.map(({ count }) => count))
  const place = partOf(root, 'histogram')
  place?.replaceChildren(
    ...shown.map(({ up_to_ms, count }) => {
      const bar = make('i', { title: `${bound(up_to_ms, words)}: ${formatNumber(count)}` })
      bar.style.setProperty('--h', String(count / highest))
      return bar
    }),
  )
  if (shown.length === 0 || p50_ms === null || p95_ms === null || p99_ms === null) return
  place?.setAttribute('role', 'img')
  const figures = { p50: formatMs(p50_ms), p95: formatMs(p95_ms), p99: formatMs(p99_ms) }
  place?.setAttribute('aria-label', words('histogram', figures))
  const ends = [shown[0], shown.at(-1)].map((bucket) => make('span', {}, bound(bucket?.up_to_ms ?? null, words)))
  partOf(root, 'axis')?.replaceChildren(...ends)
}

type Buckets = PlatformStatus['latency']['histogram']

/** Buckets from the first to the last that holds anything. */
function filledPart(histogram: Buckets): Buckets {
  const filled = histogram.flatMap(({ count }, index) => (count > 0 ? [index] : []))
  return histogram.slice(filled[0] ?? 0, (filled.at(-1) ?? -1) + 1)
}

function bound(upToMs: number | null, words: Words): string {
  return upToMs === null ? words('above') : words('upTo', { ms: formatMs(upToMs) })
}
