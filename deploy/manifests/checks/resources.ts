import { countConnections } from '../database-connections.ts'
import { measuredMib, MEASURED_MARGIN } from '../measured-memory.ts'
import type { OfKind } from '../objects.ts'
import { bytesOf, isOurs, podsOf } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'
import { complain } from './confinement.ts'

/** Maximum share of the heap in a process's memory limit; the rest is for buffers, code and threads. */
const HEAP_SHARE = 0.75
const MIB = 2 ** 20
/** Reserved for superusers, the migrations and the backup. */
const CONNECTIONS_OF_OTHERS = 3 + 5 + 2
const JOURNAL_BYTES_MAX = 268_435_456

export const resources: Checks = {
  'memory requests equal limits; CPU has requests and no limits': (manifests) =>
    podsOf(manifests).flatMap((pod) =>
      complain(pod, ({ resources: { requests = {}, limits = {} } = {} }) => [
        ...(requests['memory'] !== undefined && requests['memory'] === limits['memory']
          ? []
          : ['memory request and limit differ']),
        ...(requests['cpu'] === undefined ? ['requests no CPU'] : []),
        ...(limits['cpu'] === undefined ? [] : ['has its CPU cut']),
      ]),
    ),

  'storage used on a node is bounded': (manifests) =>
    podsOf(manifests).flatMap((pod) => [
      ...complain(pod, ({ resources: { limits = {} } = {} }) =>
        limits['ephemeral-storage'] === undefined ? ['may fill its node'] : [],
      ),
      ...(pod.spec.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined)
        .map(({ name }) => `${pod.owner}: ${name} may fill its node`),
    ]),

  'the heap of a long-running process is three quarters of its memory': (manifests) =>
    podsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
      .flatMap((pod) =>
        complain(pod, (container) => {
          if (!isOurs(container) || container.command?.[0] !== 'node') return []
          const [, heap = ''] = /--max-old-space-size=(\d+)/.exec(container.command.join(' ')) ?? []
          const expected = (bytesOf(container.resources?.limits?.['memory']) / MIB) * HEAP_SHARE
          return Number(heap) === expected ? [] : [`has a heap of ${heap} MiB, not ${expected}`]
        }),
      ),

  'market-data has more memory than was measured when it read records': (manifests) =>
    podsOf(manifests)
      .filter(({ kind, name }) => kind === 'Deployment' && ['market-data', 'market-data-jobs'].includes(name))
      .flatMap((pod) =>
        complain(pod, ({ resources: { limits = {} } = {} }) =>
          bytesOf(limits['memory']) / MIB >= measuredMib() * MEASURED_MARGIN ? [] : [`has ${limits['memory']}`],
        ),
      ),

  'PostgreSQL in the cluster accepts the connections of all processes, also during a rollout': (manifests) =>
    ofKind(manifests, 'StatefulSet')
      .filter(({ metadata }) => metadata.name === 'postgres')
      .flatMap(({ spec }) => {
        const [, accepted = ''] = /max_connections=(\d+)/.exec(JSON.stringify(spec.template.spec.containers)) ?? []
        const needed = Object.values(countConnections(manifests)).reduce(
          (sum, { most, rollout }) => sum + most + rollout,
          CONNECTIONS_OF_OTHERS,
        )
        return needed <= Number(accepted) ? [] : [`postgres: accepts ${accepted} connections of ${needed}`]
      }),

  "the gateway's journal survives its pod, and its volume is large enough": (manifests) =>
    ofKind(manifests, 'StatefulSet')
      .filter(({ metadata }) => metadata.name === 'gateway')
      .flatMap(({ spec }) => journalFaults(spec)),
}

function journalFaults(spec: OfKind<'StatefulSet'>['spec']): string[] {
  const claim = spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === 'journal')
  const mounts = spec.template.spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts)
  const mount = mounts.find(({ name }) => name === 'journal')
  const folder = spec.template.spec.containers.flatMap(({ env = [] }) => env).find(({ name }) => name === 'JOURNAL_DIR')
  const retention = Object.values(spec.persistentVolumeClaimRetentionPolicy ?? {}).join()
  const bytes = bytesOf(claim?.spec.resources.requests['storage'])
  return [
    { isMet: mount !== undefined && mount.mountPath === folder?.value, what: 'the journal is not on its volume' },
    { isMet: bytes >= 2 * JOURNAL_BYTES_MAX, what: 'the volume is small' },
    { isMet: retention === 'Retain,Retain', what: 'the volume goes when the pod goes' },
  ].flatMap(({ isMet, what }) => (isMet ? [] : [what]))
}
