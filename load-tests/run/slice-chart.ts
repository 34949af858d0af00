import type { Slice } from '../lib/summary.ts'
import { escapeHtml } from './escape-html.ts'

type Line = { name: string; className: string; values: number[] }
export type ChartOf = { title: string; unit: string; lines: (slices: readonly Slice[]) => Line[] }

const WIDTH = 720
const HEIGHT = 180
const LEFT = 56
const BOTTOM = 24
const TOP = 12
const TICKS = 4

export const RATE: ChartOf = {
  title: 'Requests per second',
  unit: '/s',
  lines: (slices) => [{ name: 'requests', className: 'rate', values: slices.map(({ perSecond }) => perSecond) }],
}
export const LATENCY: ChartOf = {
  title: 'Time to an answer',
  unit: 'ms',
  lines: (slices) => [
    { name: 'p95', className: 'p95', values: slices.map(({ p95 }) => p95) },
    { name: 'p99', className: 'p99', values: slices.map(({ p99 }) => p99) },
  ],
}

/** Figures of the slices over time, as an SVG without scripts. */
export function drawSlices({ title, unit, lines }: ChartOf, slices: readonly Slice[], seconds: number): string {
  const drawn = lines(slices)
  const highest = niceAbove(Math.max(1, ...drawn.flatMap(({ values }) => values)))
  const x = (index: number) => LEFT + ((WIDTH - LEFT) * (index + 0.5)) / Math.max(1, slices.length)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / highest)
  const grid = Array.from({ length: TICKS + 1 }, (_, n) => (highest * n) / TICKS).map((value) => {
    const at = y(value).toFixed(1)
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${at}" y2="${at}"/><text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${shortly(value)}</text>`
  })
  const paths = drawn.map(({ className, values }) => {
    const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return `<polyline class="line ${className}" points="${points}"/>`
  })
  const ends = `<text x="${LEFT}" y="${HEIGHT - 6}">0 s</text><text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${seconds} s</text>`
  const legend = drawn.map(({ name, className }) => `<span class="key ${className}">${escapeHtml(name)}</span>`)
  return (
    `<figure><figcaption>${escapeHtml(title)}, ${unit} ${legend.join(' ')}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${paths.join('')}${ends}</svg></figure>`
  )
}

/** 1, 2 or 5 times a power of ten, so that grid lines are round numbers. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * power >= value) ?? 10
  return step * power
}

function shortly(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
