import { find, mainOf, type Mutation, specOf } from './mutations.ts'

const AUTHENTICATION =
  'an autoscaler connects to Kafka and Redis over TLS, with a user of its own and the certificate authorities of the processes'

export const scaleMutations: Mutation[] = [
  {
    what: 'more pods than PostgreSQL has connections for',
    detectedBy: 'PostgreSQL in the cluster accepts the connections of all processes, also during a rollout',
    overlay: 'local',
    change: (all) => {
      find(all, 'Deployment', 'identity').spec.replicas = 20
    },
  },
  {
    what: 'market-data with the memory of the other services',
    detectedBy: 'market-data has more memory than was measured when it read records',
    change: (all) => {
      mainOf(all, 'Deployment', 'market-data').resources = mainOf(all, 'Deployment', 'audit').resources ?? {}
    },
  },
  {
    what: 'a single gateway',
    detectedBy: 'HTTP services have at least two replicas, gateways three',
    overlay: 'local',
    change: (all) => {
      find(all, 'StatefulSet', 'gateway').spec.replicas = 1
    },
  },
  {
    what: 'an autoscaler with a minimum of one',
    detectedBy: 'HTTP services have at least two replicas, gateways three',
    overlay: 'production',
    change: (all) => {
      find(all, 'HorizontalPodAutoscaler', 'identity').spec.minReplicas = 1
    },
  },
  {
    what: 'no spread over zones',
    detectedBy: 'the pods of a workload are spread over zones and nodes by its own labels',
    change: (all) => {
      delete specOf(all, 'Deployment', 'identity').topologySpreadConstraints
    },
  },
  {
    what: 'a spread by the labels of another workload',
    detectedBy: 'the pods of a workload are spread over zones and nodes by its own labels',
    change: (all) => {
      for (const rule of specOf(all, 'Deployment', 'identity').topologySpreadConstraints ?? [])
        rule.labelSelector = { matchLabels: { 'app.kubernetes.io/name': 'audit' } }
    },
  },
  {
    what: 'a disruption budget that blocks draining',
    detectedBy: 'nodes can be drained, one pod at a time',
    change: (all) => {
      find(all, 'PodDisruptionBudget', 'identity-jobs').spec.maxUnavailable = 0
    },
  },
  {
    what: 'jobs with a higher priority than request handling',
    detectedBy: 'pods that serve requests have the highest priority',
    change: (all) => {
      specOf(all, 'StatefulSet', 'gateway').priorityClassName = 'tapeline-background'
    },
  },
  {
    what: 'replicas set by both the workload and an autoscaler',
    detectedBy: 'the number of pods is set either by an autoscaler or by the workload',
    overlay: 'production',
    change: (all) => {
      find(all, 'Deployment', 'audit').spec.replicas = 2
    },
  },
  {
    what: 'more consumers than partitions',
    detectedBy: 'a consumer scales by existing groups and topics, up to their number of partitions',
    overlay: 'production',
    change: (all) => {
      find(all, 'ScaledObject', 'audit-consumer').spec.maxReplicaCount = 13
    },
  },
  {
    what: 'a consumer group without members',
    detectedBy: 'a consumer scales by existing groups and topics, up to their number of partitions',
    overlay: 'production',
    change: (all) => {
      for (const trigger of find(all, 'ScaledObject', 'audit-consumer').spec.triggers)
        trigger.metadata['consumerGroup'] = 'audits'
    },
  },
  {
    what: 'a queue that no autoscaler follows',
    detectedBy: 'jobs scale by all queues of their service',
    overlay: 'production',
    change: (all) => {
      const { spec } = find(all, 'ScaledObject', 'audit-jobs')
      spec.triggers = spec.triggers.filter(({ metadata }) => metadata['listName'] !== '{jobs}:audit-webhooks:wait')
    },
  },
  {
    what: 'an autoscaler without the certificate authority',
    detectedBy: AUTHENTICATION,
    overlay: 'production',
    change: (all) => {
      delete find(all, 'TriggerAuthentication', 'jobs-queue').spec.configMapTargetRef
    },
  },
  {
    what: 'an autoscaler that reads a secret which does not exist',
    detectedBy: AUTHENTICATION,
    overlay: 'production',
    change: (all) => {
      const { spec } = find(all, 'ExternalSecret', 'scaler')
      spec.data = spec.data.filter(({ secretKey }) => secretKey !== 'KAFKA_USERNAME')
    },
  },
  {
    what: 'an autoscaler without TLS',
    detectedBy: AUTHENTICATION,
    overlay: 'production',
    change: (all) => {
      for (const { metadata } of find(all, 'ScaledObject', 'audit-jobs').spec.triggers) delete metadata['enableTLS']
    },
  },
  {
    what: 'jobs scaled by the queue of another service',
    detectedBy: 'jobs scale by all queues of their service',
    overlay: 'production',
    change: (all) => {
      for (const trigger of find(all, 'ScaledObject', 'audit-jobs').spec.triggers)
        trigger.metadata['listName'] = '{jobs}:identity:wait'
    },
  },
  {
    what: 'jobs that scale to zero',
    detectedBy: 'a consumer scales by existing groups and topics, up to their number of partitions',
    overlay: 'production',
    change: (all) => {
      find(all, 'ScaledObject', 'audit-jobs').spec.minReplicaCount = 0
    },
  },
  {
    what: 'more gateways than GATEWAYS_EXPECTED',
    detectedBy:
      'while Redis is unavailable, all gateways together admit no more than the limit: GATEWAYS_EXPECTED is their maximum number',
    overlay: 'production',
    change: (all) => {
      find(all, 'HorizontalPodAutoscaler', 'gateway').spec.maxReplicas = 20
    },
  },
]
