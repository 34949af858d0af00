import { countAt, listAt, numberAt, readResult, withSeparators, type Result } from './read-result.ts'

const COLUMNS = 'Kills | Data requests that failed | Data back after | Every part of the API back after |'
const RULE = '|---|---|---|---|---|'

const NONE = '| no result is stored yet | | | | |'

type Recovery = { lost: string; kills: number; failed: number; sent: number; dataMs: number; anyMs: number }

/** Recovery per kind of part, as the last committed `npm run verify:ha` measured it, with Sentinels or a cluster. */
export function lossesTable(
  name: 'verify-ha' | 'verify-ha-cluster',
  read: (name: string) => Result | undefined = readResult,
): string {
  const head = [`| ${name === 'verify-ha' ? 'Lost' : 'Lost, with a Redis Cluster'} | ${COLUMNS}`, RULE]
  const result = read(name)
  const lines = result === undefined ? [NONE] : listAt(result, 'recoveries').map((one) => lineOf(one as Recovery))
  return [...head, ...lines, ...(result === undefined ? [] : ['', circumstancesOf(result)])].join('\n')
}

function circumstancesOf(result: Result): string {
  const { at, cores, perSecond, figures, checks } = result
  const broken = (checks as { broken: string[] }[]).filter((check) => check.broken.length > 0).length
  return (
    `Measured at ${String(perSecond)} requests per second on ${String(cores)} cores, which the servers, all processes and the load share ` +
    `(${at.slice(0, 10)}): ${numberAt(figures, 'kills')} kills, ${countAt(figures, 'asked')} requests, of which ${countAt(figures, 'answered')} were ` +
    `answered and counted exactly once; ${broken === 0 ? 'all checks passed' : `${broken} checks failed`}.`
  )
}

function lineOf({ lost, kills, failed, sent, dataMs, anyMs }: Recovery): string {
  return `| ${lost} | ${kills} | ${withSeparators(failed)} of ${withSeparators(sent)} | ${seconds(dataMs)} | ${seconds(anyMs)} |`
}

function seconds(ms: number): string {
  return ms === 0 ? 'not interrupted' : `${(ms / 1_000).toFixed(1)} s`
}
