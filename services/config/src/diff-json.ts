import type { ConfigDifference } from '@tapeline/contracts/config/global-configs'
import { isDeepStrictEqual } from 'node:util'

const DIFFERENCES_MAX = 200

/** Every difference between two JSON values, by JSON pointer; lists are compared by index. */
export function diffJson(before: unknown, after: unknown): ConfigDifference[] {
  return differences('', before, after).slice(0, DIFFERENCES_MAX)
}

function differences(path: string, before: unknown, after: unknown): ConfigDifference[] {
  if (isDeepStrictEqual(before, after)) return []
  const [left, right] = [partsOf(before), partsOf(after)]
  if (left === undefined || right === undefined || Array.isArray(before) !== Array.isArray(after)) {
    return [
      { path: path || '/', ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) },
    ]
  }
  const names = new Set([...left.keys(), ...right.keys()])
  return [...names].flatMap((name) =>
    differences(`${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, left.get(name), right.get(name)),
  )
}

/** Undefined for a scalar. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}
