import { countAt, listAt, numberAt, readResult, withSeparators, type Result } from './read-result.ts'

const HEAD = ['| Cut off | Measured | Result |', '|---|---|---|']
const NONE = '| no result is stored yet | | |'
const POSTGRES = 'PostgreSQL primary'
const REDIS = 'Redis master, with a Sentinel and a gateway'

type Recovery = { lost: string; failed: number; sent: number; dataMs: number; anyMs: number }
type Row = [cutOff: string, measured: string, result: string]

/** What happened on both sides of a cut network, as the last committed `npm run verify:split-brain` measured it. */
export function splitTable(read: (name: string) => Result | undefined = readResult): string {
  const result = read('split-brain')
  if (result === undefined) return [...HEAD, NONE].join('\n')
  const { figures } = result
  const [postgres, redis] = listAt(result, 'recoveries') as Recovery[]
  const rows = [...postgresRows(figures, postgres), ...redisRows(figures, redis)]
  return [...HEAD, ...rows.map((cells) => `| ${cells.join(' | ')} |`), '', circumstancesOf(result)].join('\n')
}

function postgresRows(figures: unknown, recovery: Recovery | undefined): Row[] {
  const at = (name: string) => numberAt(figures, `postgres${name}`)
  return [
    [POSTGRES, 'the last commit that it acknowledged', after(at('AcknowledgedForMs'))],
    [POSTGRES, 'Patroni demoted it, so that it accepted no more writes', after(at('DemotedMs'))],
    [POSTGRES, 'the first commit of its successor', after(at('WritesBackMs'))],
    [POSTGRES, 'two primaries accepted writes at the same time', at('BothMs') === 0 ? 'never' : seconds(at('BothMs'))],
    [
      POSTGRES,
      'acknowledged commits of clients on both sides, missing after healing',
      `${at('Missing')} of ${withSeparators(at('Commits'))}`,
    ],
    [POSTGRES, 'it was a standby again after healing', after(at('RejoinedMs'))],
    ...requestRows(POSTGRES, recovery),
  ]
}

function redisRows(figures: unknown, recovery: Recovery | undefined): Row[] {
  const at = (name: string) => numberAt(figures, name)
  const windows = ['burst', 'min', 'hour', 'day', 'month']
  const admitted = windows.map((name) => `${name} ${at(`${name}Most`)} (${at(`${name}AtMost`)})`).join(', ')
  return [
    [REDIS, 'a new master decided for the gateways on the other side', after(at('redisDecidedAgainMs'))],
    [
      REDIS,
      'the cut master admitted requests of the gateway beside it',
      `${at('redisIsolated')}, the last ${after(at('redisIsolatedForMs'))}; then ${at('redisCutShare')} from its share`,
    ],
    [REDIS, 'maximum admitted in one window on both sides (upper bound in parentheses)', admitted],
    [REDIS, 'all gateways used one master after healing', after(at('redisJoinedMs'))],
    [REDIS, 'it was a replica again after healing', after(at('redisWholeMs'))],
    ...requestRows(REDIS, recovery),
  ]
}

function requestRows(cutOff: string, recovery: Recovery | undefined): Row[] {
  if (recovery === undefined) return []
  const { failed, sent, dataMs, anyMs } = recovery
  const back = dataMs === 0 ? '' : `, the last after ${seconds(dataMs)}`
  return [
    [
      cutOff,
      'data requests that failed at the gateways on the other side',
      `${withSeparators(failed)} of ${withSeparators(sent)}${back}`,
    ],
    [cutOff, 'every part of the API was available again', anyMs === 0 ? 'not interrupted' : after(anyMs)],
  ]
}

function circumstancesOf({ at, cores, perSecond, figures, checks }: Result): string {
  const broken = (checks as { broken: string[] }[]).filter((check) => check.broken.length > 0).length
  return (
    `Measured at ${String(perSecond)} requests per second on ${String(cores)} cores (${at.slice(0, 10)}): ${countAt(figures, 'asked')} ` +
    `requests, of which ${countAt(figures, 'answered')} were answered and counted exactly once; ${broken === 0 ? 'all checks passed' : `${broken} checks failed`}.`
  )
}

function after(ms: number): string {
  return `after ${seconds(ms)}`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
