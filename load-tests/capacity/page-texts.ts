import type { Figures } from './read-figures.ts'
import { requestsPerInstance, type Part } from './estimate.ts'

/** Components in the order in which they reach their capacity, each with advice. */
export function addFirst(parts: readonly Part[]): string {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const at = (name: string) => {
    const part = byName.get(name)
    return part === undefined
      ? 'not measured'
      : `at capacity at about ${Number(requestsPerInstance(part).toPrecision(2)).toLocaleString('en')}/s`
  }
  const steps = STEPS.toSorted((one, other) => microsOf(other.part) - microsOf(one.part))
  return steps.map(({ part, text }, index) => `${index + 1}. **${part}** (${at(part)}). ${text}`).join('\n')

  function microsOf(name: string): number {
    return byName.get(name)?.microsPerRequest ?? 0
  }
}

const STEPS = [
  {
    part: 'gateway',
    text:
      'Processes, then pods: set `GATEWAY_PROCESSES` to the number of cores of a machine; the autoscaler keeps CPU at 60 % with 3 to 12 pods ' +
      '(`k8s/components/autoscaling`). Raise `GATEWAYS_EXPECTED` with them: during an outage of Redis each gateway admits that fraction of a limit. ' +
      'Every gateway process consumes all events of keys, accounts and plans (in its own consumer group).',
  },
  {
    part: "audit's consumer",
    text:
      'Processes of the group `audit`, by lag (KEDA, 1 to 12). At most twelve work at once, one per partition of `usage`; more ' +
      'partitions move accounts to other partitions, so add them only when the topic is drained: rows are deduplicated by event id, and offsets are stored per partition.',
  },
  {
    part: "audit's PostgreSQL",
    text:
      'First, a separate server for audit: its connection is a setting, and no other service accesses its tables. Rows and sums ' +
      'are in daily partitions, so old days are dropped instead of deleted, and an index covers only one day. Then more cores and faster disks. ' +
      'Replicas do not help, because the load consists of writes. Beyond one server, accounts have to be divided among several (not implemented).',
  },
  {
    part: 'market-data',
    text: 'More processes of the role `http`; they are stateless. A page costs the same at any depth, because cursors are keys and not offsets.',
  },
  {
    part: 'PostgreSQL, all databases',
    text:
      'One server per service. Trades and order-book events are in daily partitions; old days can be moved to slower disks. Reads that ' +
      'tolerate a delay of a second could use replicas; this is not implemented, because the service has only one connection setting.',
  },
  {
    part: 'Kafka',
    text:
      'Start with three brokers for durability, then add more for throughput. Events of an account stay in order within one partition, so ' +
      'one partition must be able to carry the busiest account.',
  },
  {
    part: 'Redis of the limiter',
    text:
      'One Redis thread makes the decisions; it is the last component to reach its capacity. Then use Redis Cluster: list its nodes in `REDIS_URL`. All keys ' +
      'of an account are in one slot, so the busiest account is limited by one master. Job queues stay on a separate Redis.',
  },
] as const

export function testedOf({ gateway, dashboard, load, soak }: Figures) {
  const under = load === undefined ? '' : `; ${load.requestsPerSecond.toFixed(0)}/s under k6 for ${load.seconds} s`
  return [
    {
      what: 'Rate',
      tested: `the maximum rate of one gateway on one core, and p99 at ${gateway.perSecond.toLocaleString('en')}/s, in front of a stub; ${dashboard.perSecond.toLocaleString('en')}/s through a whole platform${under}`,
      open: 'higher rates; more than one machine',
    },
    {
      what: 'Growth',
      tested:
        soak === undefined
          ? 'nothing: no stored result of `node load-tests/soak.ts`'
          : `${soak.minutes} min at ${soak.perSecond.toLocaleString('en')}/s ([soak.json](benchmarks/soak.json)): ${soak.held ? 'neither memory nor descriptors grew' : 'missed a target, see the file'}`,
      open: 'days and weeks',
    },
    {
      what: 'Several gateways',
      tested:
        'three gateways on one Redis, never above a limit (`tests/limits`), rolling restarts, kills; several processes of one gateway (`gateway/src/operations/many-processes.test.ts`)',
      open: 'twelve gateways; reaction of the autoscaler',
    },
    {
      what: 'Redis Cluster',
      tested:
        'correctness with three real masters: moving slots, loss of a master (`gateway/src/limiter/redis/cluster.test.ts`)',
      open: 'its cost per decision; failover under load',
    },
    {
      what: 'Kafka partitions',
      tested: 'twelve, one broker; consumers killed and stopped while others take over (`tests/chaos`)',
      open: 'several brokers; more partitions; twelve consumers at once',
    },
    {
      what: 'PostgreSQL partitions',
      tested: 'partitions created in advance, dropped, and queried across (`services/audit`, `services/market-data`)',
      open: 'months of rows at 1,000/s and more; disks that fill up',
    },
    { what: 'PostgreSQL replicas', tested: 'nothing: no service reads from a replica', open: 'everything' },
  ]
}
