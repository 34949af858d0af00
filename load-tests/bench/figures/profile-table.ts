type Frame = { functionName: string; url: string; lineNumber: number }
type Node = { id: number; callFrame: Frame; children?: number[] }
export type CpuProfile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }

const PERCENT = 100
/** Module loading, process start and exit, including everything they call. */
const AROUND = /^node:internal\/(modules|bootstrap|main)\//
const AROUND_FUNCTIONS = new Set(['evaluate', 'startGateway', 'shutDown', 'release'])

/** Self time by function in descending order, without process start, exit and idle time. */
export function profileTable({ nodes, samples, timeDeltas }: CpuProfile, rows: number): string {
  const selfMicros = new Map<number, number>()
  for (const [n, id] of samples.entries()) selfMicros.set(id, (selfMicros.get(id) ?? 0) + (timeDeltas[n] ?? 0))
  const byFunction = new Map<string, number>()
  let busyMicros = 0
  const around = nodesAround(nodes)
  for (const { id, callFrame } of nodes) {
    const micros = selfMicros.get(id) ?? 0
    if (callFrame.functionName === '(idle)' || micros === 0 || around.has(id)) continue
    busyMicros += micros
    const name = nameOf(callFrame)
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros)
  }
  const largest = [...byFunction].toSorted(([, one], [, other]) => other - one).slice(0, rows)
  const lines = largest.map(([name, micros]) => {
    const share = ((micros / busyMicros) * PERCENT).toFixed(1)
    return `| ${share} % | ${name} |`
  })
  return ['| self | function |', '|---:|---|', ...lines].join('\n')
}

function nodesAround(nodes: readonly Node[]): Set<number> {
  const children = new Map(nodes.map(({ id, children: below = [] }) => [id, below]))
  const found = nodes.filter(({ callFrame }) => isAround(callFrame)).map(({ id }) => id)
  const all = new Set(found)
  for (const id of all) for (const child of children.get(id) ?? []) all.add(child)
  return all
}

function isAround({ functionName, url }: Frame): boolean {
  return AROUND.test(url) || AROUND_FUNCTIONS.has(functionName)
}

/** Location of a function: the package or our folder, and the file. */
function nameOf({ functionName, url, lineNumber }: Frame): string {
  const name = (functionName || '(anonymous)').replaceAll('|', '\\|').slice(0, 60)
  if (url === '') return `\`${name}\``
  const place = url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/(gateway|libs)\//, '$1/')
  return `\`${name}\` ${place}:${lineNumber + 1}`
}
