import type { Manifest, Workload } from '../objects.ts'
import { appOf, isOurs, roleOf, selects, workloadsOf } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import { environmentOf } from './environment.ts'
import type { Checks } from './check.ts'

const SPREAD_OVER = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']

export const availability: Checks = {
  'HTTP services have at least two replicas, gateways three': (manifests) =>
    serving(manifests).flatMap((workload) => {
      const { kind, metadata, spec } = workload
      const least = metadata.name === 'gateway' ? 3 : 2
      const count = scalerOf(manifests, workload)?.minReplicas ?? spec.replicas ?? 1
      return count >= least ? [] : [`${kind}/${metadata.name}: runs ${count} times`]
    }),

  'the pods of a workload are spread over zones and nodes by its own labels': (manifests) =>
    workloadsOf(manifests)
      .filter((workload) => serving(manifests).includes(workload) || isWorker(workload))
      .flatMap(({ kind, metadata, spec }) => {
        const rules = spec.template.spec.topologySpreadConstraints ?? []
        const own = JSON.stringify(spec.selector.matchLabels)
        const isSpread = SPREAD_OVER.every((spreadKey) =>
          rules.some(
            ({ topologyKey, labelSelector }) =>
              topologyKey === spreadKey && JSON.stringify(labelSelector?.matchLabels) === own,
          ),
        )
        return isSpread ? [] : [`${kind}/${metadata.name}: its pods may all run on one node`]
      }),

  'nodes can be drained, one pod at a time': (manifests) =>
    workloadsOf(manifests)
      .filter(({ spec }) => spec.template.spec.containers.some(isOurs) && appOf(labelsOf(spec)) !== 'mail')
      .flatMap(({ kind, metadata, spec }) => {
        const budget = ofKind(manifests, 'PodDisruptionBudget').find((one) =>
          selects(one.spec.selector, labelsOf(spec)),
        )
        return budget?.spec.maxUnavailable === 1 && budget.spec.minAvailable === undefined
          ? []
          : [`${kind}/${metadata.name}: has no PodDisruptionBudget with maxUnavailable 1`]
      }),

  'pods that serve requests have the highest priority': (manifests) => {
    const names = new Set(ofKind(manifests, 'PriorityClass').map(({ metadata }) => metadata.name))
    return workloadsOf(manifests).flatMap(({ kind, metadata, spec }) => {
      const name = spec.template.spec.priorityClassName ?? ''
      const servesRequests = ['http', 'stream', 'pages', 'data'].includes(roleOf(labelsOf(spec)))
      return names.has(name) && (name === 'tapeline-background') !== servesRequests
        ? []
        : [`${kind}/${metadata.name}: has priority ${name}`]
    })
  },

  'the number of pods is set either by an autoscaler or by the workload': (manifests) =>
    workloadsOf(manifests).flatMap((workload) => {
      const { kind, metadata, spec } = workload
      const counts = [spec.replicas, ...scalersOf(manifests, workload)].filter((one) => one !== undefined)
      return counts.length === 1
        ? []
        : [`${kind}/${metadata.name}: the number of pods is set in ${counts.length} places`]
    }),

  'while Redis is unavailable, all gateways together admit no more than the limit: GATEWAYS_EXPECTED is their maximum number':
    (manifests) =>
      workloadsOf(manifests)
        .filter(({ metadata }) => metadata.name === 'gateway')
        .flatMap((workload) => {
          const [main] = workload.spec.template.spec.containers
          const expected = main === undefined ? 0 : Number(environmentOf(manifests, main)['GATEWAYS_EXPECTED'] ?? 1)
          const most = scalerOf(manifests, workload)?.maxReplicas ?? workload.spec.replicas ?? 1
          return expected >= most ? [] : [`gateway: GATEWAYS_EXPECTED is ${expected}, the maximum is ${most}`]
        }),
}

function serving(manifests: readonly Manifest[]): Workload[] {
  return workloadsOf(manifests).filter(({ spec }) => ['http', 'stream', 'pages'].includes(roleOf(labelsOf(spec))))
}

function isWorker({ spec }: Workload): boolean {
  return ['consumer', 'jobs', 'ingest'].includes(roleOf(labelsOf(spec)))
}

function labelsOf({ template }: Workload['spec']): Record<string, string> {
  return template.metadata?.labels ?? {}
}

function scalersOf(manifests: readonly Manifest[], { kind, metadata }: Workload) {
  return [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')].filter(
    ({ spec: { scaleTargetRef: to } }) => to.kind === kind && to.name === metadata.name,
  )
}

function scalerOf(manifests: readonly Manifest[], workload: Workload) {
  return ofKind(scalersOf(manifests, workload), 'HorizontalPodAutoscaler')[0]?.spec
}
