import type { Figures } from './read-figures.ts'
import { carriedByOne, type Part } from './reckon.ts'

/** In the order in which things fill up, as the figures have it; each with what must be thought of. */
export function addFirst(parts: readonly Part[]): string {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const at = (name: string) => {
    const part = byName.get(name)
    return part === undefined
      ? 'not measured'
      : `full at about ${Number(carriedByOne(part).toPrecision(2)).toLocaleString('en')}/s`
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
      'Processes, then pods: `GATEWAY_PROCESSES` takes all cores of a machine, the autoscaler keeps CPU at 60 % from 3 to 12 pods ' +
      '(`k8s/components/autoscaling`). Raise `GATEWAYS_EXPECTED` with them: while Redis is away each admits that part of a limit. ' +
      'Every gateway process reads all events of keys, accounts and plans (a consumer group of its own).',
  },
  {
    part: "audit's consumer",
    text:
      'Processes of the group `audit`, by lag (KEDA, 1 to 12). Twelve partitions of `usage` are the most that work at once; more ' +
      'partitions move accounts to other partitions, so do it with the topic drained: rows dedupe by event id, and offsets are kept per partition.',
  },
  {
    part: "audit's PostgreSQL",
    text:
      'A server of its own for audit comes first: its connection is a setting, and no other service touches its tables. Rows and sums ' +
      'are in daily partitions, so a day is dropped and not deleted, and indexes stay as small as a day. Then cores and disks. ' +
      'Replicas do not help here: this is writing. Beyond one server accounts are divided among several (not built).',
  },
  {
    part: 'market-data',
    text: 'Processes of the role `http`; they hold nothing. A page costs the same at any depth, because cursors are keys and not offsets.',
  },
  {
    part: 'PostgreSQL, all databases',
    text:
      'One server per service. Trades and order-book events are in daily partitions; old days may lie on slower disks. Reads that ' +
      'need not see the last second could go to replicas: the service has one connection setting today, so that is to be built.',
  },
  {
    part: 'Kafka',
    text:
      'Three brokers for safety come before more for speed. Events of an account stay in order within their partition, so the ' +
      'busiest account is what a partition must carry.',
  },
  {
    part: 'Redis of the limiter',
    text:
      'One thread of Redis decides; it is the last to fill up. Then Redis Cluster: name its nodes in `REDIS_URL`. Everything of an ' +
      'account lies in one slot, so an account can never be spread: the busiest one is bound by one master. Jobs stay on a Redis of their own.',
  },
] as const

export function testedOf({ gateway, dashboard, load, soak }: Figures) {
  const under = load === undefined ? '' : `; ${load.requestsPerSecond.toFixed(0)}/s under k6 for ${load.seconds} s`
  return [
    {
      what: 'Rate',
      tested: `one gateway on one core as fast as it goes, and p99 at ${gateway.perSecond.toLocaleString('en')}/s, before a stand-in; ${dashboard.perSecond.toLocaleString('en')}/s through a whole platform${under}`,
      open: 'everything above; more than one machine',
    },
    {
      what: 'Growth',
      tested:
        soak === undefined
          ? 'nothing: `node load-tests/soak.ts` was not kept'
          : `${soak.minutes} min at ${soak.perSecond.toLocaleString('en')}/s ([soak.json](benchmarks/soak.json)): ${soak.held ? 'neither memory nor descriptors grew' : 'not held, see the file'}`,
      open: 'days and weeks',
    },
    {
      what: 'Several gateways',
      tested:
        'three on one Redis, never above a limit (`tests/limits`), rolling restarts, kills; several processes of one (`gateway/src/operations/many-processes.test.ts`)',
      open: 'twelve; the autoscaler reacting',
    },
    {
      what: 'Redis Cluster',
      tested:
        'correctness with three real masters: slots that move, a master that is gone (`gateway/src/limiter/redis/cluster.test.ts`)',
      open: 'its cost per decision; failover under load',
    },
    {
      what: 'Kafka partitions',
      tested: 'twelve, one broker; consumers killed and stopped while others take over (`tests/chaos`)',
      open: 'several brokers; more partitions; twelve consumers at once',
    },
    {
      what: 'PostgreSQL partitions',
      tested: 'days made ahead, dropped, and read across (`services/audit`, `services/market-data`)',
      open: 'months of rows at 1,000/s and more; disks that fill up',
    },
    { what: 'PostgreSQL replicas', tested: 'nothing: no service reads from one', open: 'all of it' },
  ]
}
