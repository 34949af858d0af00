/** Differences in fields and types between two answers. Values that may be null or empty never differ. */
export function differences(recorded: unknown, real: unknown, at = ''): string[] {
  if (recorded === null || real === null) return []
  if (kindOf(recorded) !== kindOf(real)) return [`${at}: ${kindOf(recorded)} was recorded, ${kindOf(real)} is answered`]
  if (Array.isArray(recorded)) return differences(firstOf(recorded), firstOf(real), `${at}/0`)
  return typeof recorded === 'object' && typeof real === 'object' ? differentFields(recorded, real, at) : []
}

function differentFields(recorded: object, real: object, at: string): string[] {
  const fields = new Map<string, unknown>(Object.entries(recorded))
  const now = new Map<string, unknown>(Object.entries(real))
  const removed = [...fields.keys()]
    .filter((name) => !now.has(name))
    .map((name) => `${at}/${name} is not answered any more`)
  const added = [...now.keys()].filter((name) => !fields.has(name)).map((name) => `${at}/${name} is not in the record`)
  const common = [...fields].filter(([name]) => now.has(name))
  return [
    ...removed,
    ...added,
    ...common.flatMap(([name, value]) => differences(value, now.get(name), `${at}/${name}`)),
  ]
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list[0] ?? null) : null
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
