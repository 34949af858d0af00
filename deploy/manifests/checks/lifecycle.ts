import type { Container, Manifest } from '../objects.ts'
import { isOurs, podsOf, roleOf, workloadsOf, type Pod } from '../pods.ts'
import { environmentOf } from './environment.ts'
import type { Checks } from './check.ts'

/** Time limit for work without waiting clients, see libs/service/src/process/run-process.ts. */
const STOP_DEADLINE_S = 9
const PROCESS_ROLES = new Set(['http', 'stream', 'consumer', 'jobs', 'ingest'])
const PROBES = { startupProbe: '/startupz', readinessProbe: '/readyz', livenessProbe: '/livez' } as const

export const lifecycle: Checks = {
  'long-running containers have separate startup, readiness and liveness probes': (manifests) =>
    staying(manifests).flatMap((pod) =>
      pod.spec.containers.flatMap((container) => [
        ...(Object.keys(PROBES) as (keyof typeof PROBES)[])
          .filter((probe) => container[probe] === undefined)
          .map((probe) => `${pod.owner}: has no ${probe}`),
        ...(isProcess(pod) ? wrongPaths(container).map((what) => `${pod.owner}: ${what}`) : []),
      ]),
    ),

  'no container is killed because a dependency is unavailable: liveness probes do not check readiness': (manifests) =>
    staying(manifests).flatMap(({ owner, spec }) =>
      spec.containers.flatMap(({ livenessProbe }) =>
        livenessProbe?.httpGet?.path === '/readyz' || livenessProbe?.exec !== undefined
          ? [`${owner}: is killed with what it needs`]
          : [],
      ),
    ),

  'a graceful shutdown has enough time: pause, lame duck, drain and the rest fit into the grace period': (manifests) =>
    staying(manifests)
      .filter(isProcess)
      .flatMap((pod) => {
        const { pauseS, lameDuckS, drainS } = times(manifests, pod)
        const needed = pauseS + lameDuckS + drainS + STOP_DEADLINE_S
        const grace = pod.spec.terminationGracePeriodSeconds ?? 30
        return needed <= grace ? [] : [`${pod.owner}: needs ${needed} s and is given ${grace}`]
      }),

  'load balancers stop sending requests before connections close: two failed probes fit into pause and lame duck': (
    manifests,
  ) =>
    staying(manifests)
      .filter((pod) => isProcess(pod) && roleOf(pod.labels) === 'http')
      .flatMap((pod) => {
        const { pauseS, lameDuckS } = times(manifests, pod)
        const { periodSeconds = 10, failureThreshold = 3 } = pod.spec.containers[0]?.readinessProbe ?? {}
        return pauseS > 0 && lameDuckS > 0 && periodSeconds * failureThreshold <= pauseS + lameDuckS
          ? []
          : [`${pod.owner}: closes before load balancers have removed it`]
      }),

  'a rollout removes a pod only after its replacement has been ready for some time': (manifests) =>
    workloadsOf(manifests)
      .filter(({ kind, spec }) => kind === 'Deployment' && spec.template.spec.containers.some(isOurs))
      .filter(({ spec }) => roleOf(spec.template.metadata?.labels ?? {}) !== 'mail')
      .flatMap(({ metadata, spec }) => {
        const { maxUnavailable, maxSurge = 0 } = spec.strategy?.rollingUpdate ?? {}
        const isSafe = maxUnavailable === 0 && Number(maxSurge) >= 1 && (spec.minReadySeconds ?? 0) >= 5
        return isSafe ? [] : [`Deployment/${metadata.name}: is removed too early`]
      }),
}

function staying(manifests: readonly Manifest[]): Pod[] {
  return podsOf(manifests).filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
}

/** The gateway and the services, all of which answer the same probes. */
function isProcess({ containers, labels }: Pod): boolean {
  return containers.some(isOurs) && PROCESS_ROLES.has(roleOf(labels))
}

function wrongPaths(container: Container): string[] {
  return (Object.entries(PROBES) as [keyof typeof PROBES, string][])
    .filter(([probe, path]) => container[probe]?.httpGet?.path !== path || container[probe].httpGet.port !== 'http')
    .map(([probe, path]) => `${probe} does not request ${path}`)
}

function times(manifests: readonly Manifest[], { spec }: Pod): { pauseS: number; lameDuckS: number; drainS: number } {
  const [main] = spec.containers
  const values = main === undefined ? {} : environmentOf(manifests, main)
  return {
    pauseS: main?.lifecycle?.preStop?.sleep?.seconds ?? 0,
    lameDuckS: Number(values['LAME_DUCK_MS'] ?? 0) / 1_000,
    drainS: Number(values['DRAIN_TIMEOUT_MS'] ?? 8_000) / 1_000,
  }
}
