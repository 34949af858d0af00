import { check } from 'recheck'
import type { Expression } from './collect-expressions.ts'

/** The verdict on an expression: growth of its run time, and the reason why super-linear growth is harmless. */
export type ExpressionVerdict = { grows: string; bounded?: string }
export type Verdicts = Record<string, ExpressionVerdict>
export type Wrong = { file: string; message: string }

const SAFE_VERDICTS = new Set(['safe', 'linear', 'safe (fuzz)'])
/**
 * If no proof is possible, fixed strings are tried and steps are counted, so that the result does not depend on machine
 * load.
 */
const PARAMETERS = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 1 }
/** If a schema's maximum length limits matching to this many steps, no other reason is needed. */
const STEPS_MAX = 100_000

export function nameOf({ file, source, flags }: Expression): string {
  return source === undefined ? `put together in ${file}` : `/${source}/${flags}`
}

export async function measureGrowth({ source, flags }: Expression): Promise<string> {
  if (source === undefined) return 'unknown'
  const result = await check(source, flags, PARAMETERS)
  return result.status === 'unknown' ? `unknown: ${JSON.stringify(result.error)}` : result.complexity.summary
}

/** Missing, superfluous or invalid entries in a list of verdicts. */
export function compareVerdicts(expressions: readonly Expression[], verdicts: Verdicts): Wrong[] {
  const names = new Set(expressions.map(nameOf))
  const stale = Object.keys(verdicts).filter((name) => !names.has(name))
  return [
    ...expressions.flatMap((one) => {
      const message = faultOf(one, verdicts[nameOf(one)])
      return message === undefined ? [] : [{ file: one.file, message }]
    }),
    ...stale.map((name) => ({ file: 'expressions.json', message: `lists ${name}, which no file contains` })),
  ]
}

function faultOf(expression: Expression, judged: ExpressionVerdict | undefined): string | undefined {
  const name = nameOf(expression)
  if (judged === undefined) return `${name} was never judged`
  if (SAFE_VERDICTS.has(judged.grows) || judged.bounded !== undefined) return undefined
  if (stepsOf(expression, judged) <= STEPS_MAX) return undefined
  return `${name} takes ${judged.grows} time: rewrite it, or record in "bounded" what limits its input`
}

function stepsOf({ lengthMax = Infinity }: Expression, { grows }: ExpressionVerdict): number {
  const degree = /^(\d)\w\w degree polynomial/.exec(grows)?.[1]
  return degree === undefined ? Infinity : lengthMax ** Number(degree)
}
