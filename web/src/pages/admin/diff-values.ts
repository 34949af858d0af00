export type ValueDifference = { path: string; before?: unknown; after?: unknown }

/** All differences of two JSON values; a missing side is absent. */
export function diffValues(before: unknown, after: unknown, path = ''): ValueDifference[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => {
      const at = `${path}/${name}`
      if (!Object.hasOwn(before, name)) return [{ path: at, after: after[name] }]
      if (!Object.hasOwn(after, name)) return [{ path: at, before: before[name] }]
      return diffValues(before[name], after[name], at)
    })
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path: path || '/', before, after }]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value in one short line. */
export function shortValue(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > SHORT_MAX ? `${text.slice(0, SHORT_MAX)}…` : text
}

const SHORT_MAX = 80
