import type { Deps } from '../deps.ts'
import { type ProbedPath, PROBED_PATHS } from './components.ts'
import { addProbes, type Probe } from './status-queries.ts'
import { type IncidentDeps, trackIncidents } from './track-incidents.ts'

const PROBE_TIMEOUT_MS = 5_000
const TOO_MANY = 429
const FAILURE_FROM = 500

export type Prober = Pick<Deps, 'db'> & IncidentDeps & { gatewayUrl: string }

/**
 * Requests the public paths through the gateway. When the gateway does not answer, the other components are not
 * measured.
 */
export async function probePlatform({ gatewayUrl, ...deps }: Prober): Promise<void> {
  if (gatewayUrl === '') return
  const at = deps.now()
  const statuses = await Promise.all(PROBED_PATHS.map((probed) => statusOf(gatewayUrl, probed)))
  const isGatewayUp = statuses.some((status) => status !== undefined)
  const probes = PROBED_PATHS.flatMap(({ component }, n): Probe[] => {
    if (!isGatewayUp) return component === 'gateway' ? [{ component, at, hasFailed: true }] : []
    const status = statuses[n]
    return status === TOO_MANY ? [] : [{ component, at, hasFailed: status === undefined || status >= FAILURE_FROM }]
  })
  if (probes.length === 0) return
  await deps.db.transaction().execute(async (trx) => {
    await addProbes(trx, probes)
    await trackIncidents(deps, trx, probes)
  })
}

async function statusOf(gatewayUrl: string, { path, body, apiKey }: ProbedPath): Promise<number | undefined> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const withKey = apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey() } }
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    const init = { ...(body === undefined ? withKey : post), signal, redirect: 'manual' } as const
    const answer = await fetch(new URL(path, gatewayUrl), init)
    await answer.body?.cancel()
    return answer.status
  } catch {
    return undefined
  }
}
