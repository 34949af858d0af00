import { SERVICES, type ServiceName } from '../local/secrets.ts'
import { environmentOf } from './checks/environment.ts'
import type { Manifest, Workload } from './objects.ts'
import { appOf, roleOf, workloadsOf } from './pods.ts'
import { ofKind } from './read-rendered.ts'

export type Connections = {
  /** With the fewest pods. */
  least: number
  /** With the most pods that the autoscalers start. */
  most: number
  /** In addition during a rollout of everything, when each Deployment has one more pod. */
  rollout: number
}

/** Of every process: it listens for work. */
const LISTENING = 1
/** Pools of DATABASE_CONNECTIONS_MAX besides the one of every process (services/audit/src/main.ts). */
const MORE_POOLS: Record<string, number> = { 'audit/consumer': 1, 'audit/jobs': 1 }
/** Connections outside of these pools and of the jobs' (services/audit/src/threads/work-in-thread.ts). */
const MORE_CONNECTIONS: Record<string, number> = { 'audit/jobs': 3 }
const CONNECTIONS_MAX_DEFAULT = 8
const JOBS_CONNECTIONS_MAX_DEFAULT = 4
/** HTTP processes of audit run replays of limits and verifications of the trail on the connections of jobs. */
const WITH_JOBS_POOL = /[/]jobs$|^audit[/]http$/

/** The most connections that the pods of each service open to its database. */
export function countConnections(manifests: readonly Manifest[]): Record<ServiceName, Connections> {
  const found = SERVICES.map((service) => {
    const each = workloadsOf(manifests)
      .filter(({ spec }) => appOf(labelsOf(spec)) === service)
      .map((workload) => countOf(manifests, workload))
    const sum = (of: (one: Connections) => number) => each.reduce((total, one) => total + of(one), 0)
    return [
      service,
      { least: sum(({ least }) => least), most: sum(({ most }) => most), rollout: sum(({ rollout }) => rollout) },
    ]
  })
  return Object.fromEntries(found) as Record<ServiceName, Connections>
}

function countOf(manifests: readonly Manifest[], workload: Workload): Connections {
  const ofPod = countOfPod(manifests, workload)
  const [least, most] = podsOfWorkload(manifests, workload)
  return {
    least: ofPod * least,
    most: ofPod * most,
    rollout: ofPod * (workload.spec.strategy?.rollingUpdate?.maxSurge ?? 1),
  }
}

/** The fewest and the most pods. */
function podsOfWorkload(manifests: readonly Manifest[], { metadata, spec }: Workload): [number, number] {
  const isTarget = (scaler: { spec: { scaleTargetRef: { name: string } } }) =>
    scaler.spec.scaleTargetRef.name === metadata.name
  const horizontal = ofKind(manifests, 'HorizontalPodAutoscaler').find(isTarget)?.spec
  if (horizontal !== undefined) return [horizontal.minReplicas, horizontal.maxReplicas]
  const scaled = ofKind(manifests, 'ScaledObject').find(isTarget)?.spec
  if (scaled !== undefined) return [scaled.minReplicaCount, scaled.maxReplicaCount]
  return [spec.replicas ?? 1, spec.replicas ?? 1]
}

function countOfPod(manifests: readonly Manifest[], { spec }: Workload): number {
  const [main] = spec.template.spec.containers
  const environment = main === undefined ? {} : environmentOf(manifests, main)
  const name = `${appOf(labelsOf(spec))}/${roleOf(labelsOf(spec))}`
  const ofRequests = Number(environment['DATABASE_CONNECTIONS_MAX'] ?? CONNECTIONS_MAX_DEFAULT)
  const ofJobs = Number(environment['DATABASE_JOBS_CONNECTIONS_MAX'] ?? JOBS_CONNECTIONS_MAX_DEFAULT)
  const pools = 1 + (MORE_POOLS[name] ?? 0)
  return pools * ofRequests + (WITH_JOBS_POOL.test(name) ? ofJobs : 0) + LISTENING + (MORE_CONNECTIONS[name] ?? 0)
}

function labelsOf({ template }: Workload['spec']): Record<string, string> {
  return template.metadata?.labels ?? {}
}
