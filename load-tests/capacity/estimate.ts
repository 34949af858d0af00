import type { Figures } from './read-figures.ts'

/** Above this share of a core, queueing grows faster than load; the rest is also a reserve if an instance fails. */
export const BUSY_SHARE = 0.6
const MICROS = 1_000_000
const SECONDS_A_DAY = 86_400
const BYTES_A_GB = 1e9

/** A component that works for each request, on one core per instance. */
export type Part = {
  name: string
  microsPerRequest: number
  /** The cost up to a low rate, where batches are small. */
  atLowRate?: { perSecond: number; microsPerRequest: number }
  source: keyof Figures
  scales: string
}
export type Need = Part & {
  /** CPU time in cores. */ cores: number
  /** Instances at 60 % of a core each. */ count: number
}

/** The measured components, the most expensive first, which is the order in which they reach their capacity. */
export function partsOf({ gateway, consumer, load }: Figures): Part[] {
  const measured: Part[] = [
    {
      name: 'gateway',
      microsPerRequest: gateway.cpuMicros,
      source: 'gateway',
      scales: 'more processes (`GATEWAY_PROCESSES`) or pods, which share only Redis',
    },
    {
      name: 'Redis of the limiter',
      microsPerRequest: gateway.redisMicros,
      source: 'gateway',
      scales: 'Redis Cluster; all keys of an account are in one slot',
    },
    {
      name: "audit's consumer",
      microsPerRequest: consumer.cpuMicros,
      atLowRate: { perSecond: consumer.steadyPerSecond, microsPerRequest: consumer.steadyMicros },
      source: 'consumer',
      scales: 'more processes of the group, up to one per partition of `usage` (12)',
    },
    {
      name: "audit's PostgreSQL",
      microsPerRequest: consumer.postgresMicros,
      source: 'consumer',
      scales: 'more cores; beyond one server, a database per group of accounts',
    },
    ...costsOf(load),
  ]
  return measured.toSorted((one, other) => other.microsPerRequest - one.microsPerRequest)
}

/** Only parts without a dedicated measurement, because these figures include the whole platform's background work. */
function costsOf(load: Figures['load']): Part[] {
  const costs = new Map((load?.costs ?? []).map((one) => [one.name, one.cpuMicrosPerRequest]))
  const part = (name: string, process: string, scales: string): Part[] => {
    const microsPerRequest = costs.get(process)
    return microsPerRequest === undefined ? [] : [{ name, microsPerRequest, source: 'load', scales }]
  }
  return [
    ...part('market-data', 'market-data', 'more processes of the role `http`'),
    ...part('Kafka', 'kafka', 'more brokers, partitions spread over them'),
    ...part(
      'PostgreSQL, all databases',
      'postgres',
      'a server per service first; market-data reads from replicas (not built)',
    ),
  ]
}

export function needAt(part: Part, perSecond: number): Need {
  const { atLowRate } = part
  const micros =
    atLowRate !== undefined && perSecond <= atLowRate.perSecond ? atLowRate.microsPerRequest : part.microsPerRequest
  const cores = (micros * perSecond) / MICROS
  return { ...part, cores, count: Math.max(1, Math.ceil(cores / BUSY_SHARE)) }
}

/** Requests per second of one instance of this component at 60 % of a core. */
export function requestsPerInstance({ microsPerRequest }: Part): number {
  return (BUSY_SHARE * MICROS) / microsPerRequest
}

export function gigabytesPerDay(bytesPerRequest: number, perSecond: number): number {
  return (bytesPerRequest * perSecond * SECONDS_A_DAY) / BYTES_A_GB
}
