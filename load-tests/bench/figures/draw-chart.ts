import type { Summary } from './summarize.ts'

type Bar = { label: string; value: number; text: string; isOurs: boolean }
type Panel = { title: string; bars: Bar[] }

const WIDTH = 760
const LABEL_WIDTH = 250
const TEXT_WIDTH = 90
const ROW = 26
const TITLE = 40
const PAD = 12
/** Legible on light and dark pages. */
const INK = '#8a8f98'
const OURS = '#3b82f6'
const OTHERS = '#8a8f98'

/** Bars for both figures of the table: CPU time per request and p99. */
export function drawChart(summary: readonly Summary[], ours: string): string {
  const cpu = summary.filter(({ isDirect }) => !isDirect)
  const panels: Panel[] = [
    { title: 'CPU time per request, µs (less is better)', bars: barsOf(cpu, ours, 'cpuMicrosPerRequest', 1) },
    { title: 'p99 at a fixed rate, ms, from the intended start', bars: barsOf(summary, ours, 'p99Ms', 2) },
  ]
  let y = PAD
  const parts: string[] = []
  for (const panel of panels) {
    parts.push(draw(panel, y))
    y += TITLE + panel.bars.length * ROW + PAD
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" ` +
    `font-family="system-ui, sans-serif" font-size="13" fill="${INK}" role="img">\n${parts.join('\n')}\n</svg>\n`
  )
}

function barsOf(
  summary: readonly Summary[],
  ours: string,
  figure: 'cpuMicrosPerRequest' | 'p99Ms',
  digits: number,
): Bar[] {
  return summary
    .map((one) => ({
      label: one.target,
      value: one[figure],
      text: one[figure].toFixed(digits),
      isOurs: one.target === ours,
    }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted((one, other) => one.value - other.value)
}

function draw({ title, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ value }) => value))
  const scale = (WIDTH - LABEL_WIDTH - TEXT_WIDTH) / longest
  const rows = bars.map(({ label, value, text, isOurs }, index) => {
    const y = top + TITLE + index * ROW
    const length = Math.max(1, value * scale)
    const weight = isOurs ? ' font-weight="700"' : ''
    return (
      `<text x="${LABEL_WIDTH - PAD}" y="${y + 13}" text-anchor="end"${weight}>${escaped(label)}</text>` +
      `<rect x="${LABEL_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="${ROW - 8}" rx="3" fill="${isOurs ? OURS : OTHERS}"/>` +
      `<text x="${(LABEL_WIDTH + length + 8).toFixed(1)}" y="${y + 13}"${weight}>${text}</text>`
    )
  })
  return [`<text x="${PAD}" y="${top + 18}" font-size="15">${escaped(title)}</text>`, ...rows].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
