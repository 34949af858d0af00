import { TOPICS } from '@tapeline/contracts/topics'
import { readConsumerGroups, readQueues } from '../groups-and-queues.ts'
import type { Manifest, ScaledObject } from '../objects.ts'
import { podsOf } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'
import { secretKeys } from './environment.ts'

/** Rules for KEDA, which connects to Kafka and Redis itself. */
export const autoscaling: Checks = {
  'a consumer scales by existing groups and topics, up to their number of partitions': (manifests) =>
    ofKind(manifests, 'ScaledObject').flatMap(({ metadata, spec }) => {
      const app = spec.scaleTargetRef.name.replace(/-(consumer|jobs)$/, '')
      const followed = spec.triggers.filter(({ type }) => type === 'kafka').map((trigger) => trigger.metadata)
      const most = Math.max(
        0,
        ...followed.map(({ topic = '' }) => TOPICS[topic as keyof typeof TOPICS]?.partitions ?? 0),
      )
      const groups = readConsumerGroups(app)
      return [
        ...(followed.length > 0 && spec.maxReplicaCount > most
          ? [`ScaledObject/${metadata.name}: has pods without a partition`]
          : []),
        ...followed
          .filter(({ topic = '', consumerGroup = '' }) => !(topic in TOPICS) || !groups.has(consumerGroup))
          .map(
            ({ topic, consumerGroup }) =>
              `ScaledObject/${metadata.name}: no process reads ${topic} as ${consumerGroup}`,
          ),
        ...(spec.minReplicaCount >= 1
          ? []
          : [`ScaledObject/${metadata.name}: no process would publish or schedule anything`]),
      ]
    }),

  'jobs scale by all queues of their service': (manifests) =>
    ofKind(manifests, 'ScaledObject')
      .filter(({ spec }) => spec.scaleTargetRef.name.endsWith('-jobs'))
      .flatMap(({ metadata, spec }) => {
        const app = spec.scaleTargetRef.name.replace(/-jobs$/, '')
        const expected = new Set([...readQueues(app)].map((queue) => `{jobs}:${queue}:wait`))
        const found = new Set(listsOf(spec))
        return [
          ...[...found].filter((list) => !expected.has(list)).map((list) => `${list} is not its queue`),
          ...[...expected].filter((list) => !found.has(list)).map((list) => `${list} is not followed`),
        ].map((what) => `ScaledObject/${metadata.name}: ${what}`)
      }),

  'an autoscaler connects to Kafka and Redis over TLS, with a user of its own and the certificate authorities of the processes':
    (manifests) => {
      const isPrivate = podsOf(manifests).some(({ spec }) => spec.volumes?.some(({ name }) => name === 'ca') === true)
      return ofKind(manifests, 'ScaledObject').flatMap(({ metadata, spec }) =>
        spec.triggers
          .flatMap((trigger) => [
            ...(trigger.metadata['tls'] === 'enable' || trigger.metadata['enableTLS'] === 'true' ? [] : ['has no TLS']),
            ...authenticationFaults(manifests, trigger.authenticationRef?.name, isPrivate),
          ])
          .map((what) => `ScaledObject/${metadata.name}: ${what}`),
      )
    },
}

function listsOf({ triggers }: ScaledObject['spec']): string[] {
  return triggers
    .filter(({ type }) => type === 'redis' || type === 'redis-sentinel')
    .map(({ metadata: { listName = '' } }) => listName)
}

function authenticationFaults(manifests: readonly Manifest[], name: string | undefined, isPrivate: boolean): string[] {
  const authentication = ofKind(manifests, 'TriggerAuthentication').find(({ metadata }) => metadata.name === name)
  if (authentication === undefined) return [`${name} is not there`]
  const { secretTargetRef, configMapTargetRef = [] } = authentication.spec
  const given = [...secretTargetRef, ...configMapTargetRef].map(({ parameter }) => parameter)
  const configs = ofKind(manifests, 'ConfigMap')
  return [
    ...['username', 'password', ...(isPrivate ? ['ca'] : [])]
      .filter((parameter) => !given.includes(parameter))
      .map((parameter) => `${name} has no ${parameter}`),
    ...secretTargetRef
      .filter((from) => secretKeys(manifests).get(from.name)?.includes(from.key) !== true)
      .map(({ key }) => `there is no secret ${key}`),
    ...configMapTargetRef
      .filter((from) => configs.find(({ metadata }) => metadata.name === from.name)?.data?.[from.key] === undefined)
      .map(({ key }) => `there is no ${key}`),
  ]
}
