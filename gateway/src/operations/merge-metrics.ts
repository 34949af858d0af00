type Family = { head: string[]; isGauge: boolean; values: Map<string, number> }

const SAMPLE = /^(\w+)(\{.*\})? (\S+)$/

/** One text for all processes of a gateway: counters are added up, gauges are shown per process. */
export function mergeMetrics(texts: readonly { process: number; text: string }[]): string {
  const families = new Map<string, Family>()
  for (const { process, text } of texts) {
    let family: Family | undefined
    for (const line of text.split('\n')) {
      if (line.startsWith('#')) family = familyOf(families, line)
      else if (family !== undefined) add(family, line, process)
    }
  }
  const lines = [...families.values()].flatMap(({ head, values }) => [
    ...head,
    ...[...values].map(([sample, value]) => `${sample} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

/** `# HELP name …` and `# TYPE name …` begin a family. */
function familyOf(families: Map<string, Family>, line: string): Family {
  const [, kind, name = '', type] = line.split(' ', 4)
  let family = families.get(name)
  if (family === undefined) families.set(name, (family = { head: [], isGauge: false, values: new Map() }))
  if (!family.head.includes(line)) family.head.push(line)
  if (kind === 'TYPE') family.isGauge = type === 'gauge'
  return family
}

function add({ values, isGauge }: Family, line: string, process: number): void {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
  if (name === undefined) return
  const label = `process="${process}"`
  const inner = labels.slice(1, -1)
  const sample = isGauge ? `${name}{${inner === '' ? label : `${inner},${label}`}}` : `${name}${labels}`
  values.set(sample, (values.get(sample) ?? 0) + Number(value))
}
