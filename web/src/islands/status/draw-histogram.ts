import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { make, partOf } from '../parts/dom.ts'
import { formatMs, formatNumber, type Words } from '../parts/words.ts'
import { TARGET_MS } from './evaluate-targets.ts'
import { type Bucket, filledBuckets, placeOnHistogram } from './place-on-histogram.ts'

/** Bars, those above the objective in another color, with a mark at each percentile and at the objective. */
export function drawHistogram(root: HTMLElement, latency: PlatformStatus['latency'], words: Words): void {
  const buckets = filledBuckets(latency.histogram)
  const place = partOf(root, 'histogram')
  place?.replaceChildren(...barsOf(buckets, words), ...marksOf(buckets, latency, words))
  const { p50_ms, p95_ms, p99_ms } = latency
  if (buckets.length === 0 || p50_ms === null || p95_ms === null || p99_ms === null) return
  place?.setAttribute('role', 'img')
  const figures = { p50: formatMs(p50_ms), p95: formatMs(p95_ms), p99: formatMs(p99_ms) }
  place?.setAttribute('aria-label', words('histogram', figures))
  const ends = [buckets[0], buckets.at(-1)].map((bucket) => make('span', {}, bound(bucket?.up_to_ms ?? null, words)))
  partOf(root, 'axis')?.replaceChildren(...ends)
}

function barsOf(buckets: readonly Bucket[], words: Words): HTMLElement[] {
  const highest = Math.max(1, ...buckets.map(({ count }) => count))
  return buckets.map(({ from_ms, up_to_ms, count }) => {
    const title = `${bound(up_to_ms, words)}: ${formatNumber(count)}`
    const bar = make('i', { title, class: from_ms >= TARGET_MS ? 'over' : undefined })
    bar.style.setProperty('--h', String(count / highest))
    return bar
  })
}

type Mark = { name: string; ms: number; text: string }

/** Labels are placed in rows, so that those of close marks do not overlap. */
function marksOf(
  buckets: readonly Bucket[],
  { p50_ms, p95_ms, p99_ms }: PlatformStatus['latency'],
  words: Words,
): HTMLElement[] {
  const percentiles = Object.entries({ p99: p99_ms, p95: p95_ms, p50: p50_ms })
  const marks = percentiles.flatMap(([name, ms]): Mark[] =>
    ms === null ? [] : [{ name, ms, text: `${name} ${formatMs(ms)} ms` }],
  )
  if (reaches(buckets, TARGET_MS)) {
    marks.unshift({ name: 'promise', ms: TARGET_MS, text: words('promised', { ms: TARGET_MS }) })
  }
  return buckets.length === 0 ? [] : marks.map((mark, row) => markAt(placeOnHistogram(buckets, mark.ms), mark, row))
}

function markAt(place: number, { name, ms, text }: Mark, row: number): HTMLElement {
  const side = place > 0.5 ? ' before' : ''
  const tone = name === 'p99' && ms > TARGET_MS ? ' missed' : ''
  const mark = make('span', { class: `mark ${name}${side}${tone}` }, make('span', {}, text))
  mark.style.setProperty('--x', String(place))
  mark.style.setProperty('--row', String(row))
  return mark
}

function reaches(buckets: readonly Bucket[], ms: number): boolean {
  const [first, last] = [buckets[0], buckets.at(-1)]
  return first !== undefined && last !== undefined && first.from_ms <= ms && ms <= (last.up_to_ms ?? Infinity)
}

function bound(upToMs: number | null, words: Words): string {
  return upToMs === null ? words('above') : words('upTo', { ms: formatMs(upToMs) })
}
