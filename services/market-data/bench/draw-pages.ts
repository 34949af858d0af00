type Page = {
  source: string
  way: string
  clients: number
  serviceCpuMsPerPage?: number
  postgresCpuMsPerPage?: number
  storeCpuMsPerPage?: number
  cpuMsPerPage?: number
}
export type MeasuredSize = { lake: { rows: number }; pages: readonly Page[] }
type Bar = { label: string; ms: number; isOurs: boolean }

const WIDTH = 760
const LABEL_WIDTH = 250
const TEXT_WIDTH = 90
const ROW = 26
const TITLE = 40
const PAD = 12
/** Readable on light and dark pages. */
const INK = '#8a8f98'
const OURS = '#3b82f6'
const NAMES: Record<string, string> = {
  lake: 'sealed files',
  bucket: 'sealed files in a bucket',
  postgresql: 'PostgreSQL',
  duckdb: 'DuckDB, same files',
  clickhouse: 'ClickHouse, same files',
}

/** CPU of a page with one client, by number of trades: each size is a group of bars on the same scale. */
export function drawPages(sizes: readonly MeasuredSize[]): string {
  const groups = sizes.map(({ lake, pages }) => ({
    title: `${(lake.rows / 1e6).toFixed(lake.rows < 1e7 ? 1 : 0)} million trades: CPU per page of 1,000, ms`,
    bars: pages.filter(({ clients }) => clients === 1).map(barOf),
  }))
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ ms }) => ms)))
  const scale = (WIDTH - LABEL_WIDTH - TEXT_WIDTH) / longest
  let y = PAD
  const parts: string[] = []
  for (const { title, bars } of groups) {
    parts.push(`<text x="${PAD}" y="${y + 18}" font-size="15">${title}</text>`)
    for (const [index, bar] of bars.entries()) parts.push(drawBar(bar, y + TITLE + index * ROW, scale))
    y += TITLE + bars.length * ROW + PAD
  }
  const font = `font-family="system-ui, sans-serif" font-size="13" fill="${INK}" role="img"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" ${font}>`
  return `${head}\n${parts.join('\n')}\n</svg>\n`
}

function barOf(page: Page): Bar {
  const { source, way, serviceCpuMsPerPage = 0, postgresCpuMsPerPage = 0, storeCpuMsPerPage = 0 } = page
  return {
    label: `${NAMES[source] ?? source}, ${way}`,
    ms: serviceCpuMsPerPage + postgresCpuMsPerPage + storeCpuMsPerPage + (page.cpuMsPerPage ?? 0),
    isOurs: source === 'lake' || source === 'bucket',
  }
}

function drawBar({ label, ms, isOurs }: Bar, y: number, scale: number): string {
  const length = Math.max(1, ms * scale)
  const weight = isOurs ? ' font-weight="700"' : ''
  return (
    `<text x="${LABEL_WIDTH - PAD}" y="${y + 13}" text-anchor="end"${weight}>${label}</text>` +
    `<rect x="${LABEL_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="${ROW - 8}" rx="3" fill="${isOurs ? OURS : INK}"/>` +
    `<text x="${(LABEL_WIDTH + length + 8).toFixed(1)}" y="${y + 13}"${weight}>${ms.toFixed(1)}</text>`
  )
}
