import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const BENCHMARKS = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks')

/** The result of a script, with its date; each measurement reads the fields of its own file. */
export type Result = { at: string } & Record<string, unknown>
/** A file's result for a target. */
export type Measured = { figure: string; isMet: boolean }

export function readResult(name: string): Result | undefined {
  const file = join(BENCHMARKS, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
}

/**
 * The number at a path of fields; throws if it is missing, so that a wrong path is not mistaken for a target that is
 * met.
 */
export function numberAt(result: unknown, ...path: (string | number)[]): number {
  const value = path.reduce<unknown>((inner, field) => fieldOf(inner, field), result)
  if (typeof value !== 'number') throw new Error(`no number at ${path.join('.')}`)
  return value
}

/** `numberAt` with thousands separators. */
export function countAt(result: unknown, ...path: (string | number)[]): string {
  return withSeparators(numberAt(result, ...path))
}

export function withSeparators(count: number): string {
  return count.toLocaleString('en')
}

export function listAt(result: unknown, field: string): unknown[] {
  const value = fieldOf(result, field)
  if (!Array.isArray(value)) throw new Error(`no list at ${field}`)
  return value
}

function fieldOf(value: unknown, field: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[field] : undefined
}
