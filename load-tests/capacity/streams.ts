import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUSY_SHARE } from './reckon.ts'

const STREAM = 'stream.json'
const GATEWAY = 'stream-gateway.json'
/** What one subscriber gets in the steady part of the benchmark. */
const RECORDS_PER_SECOND = 20
const MICROS_PER_SECOND = 1e6
const KB_PER_GB = 1e6
const SUBSCRIBERS = [1_000, 10_000, 100_000] as const

type Steady = { subscribers: number; microsPerRecord: number; delayMs: { p99: number } }
type StreamResult = {
  at: string
  fanOut: { clients: number; recordsPerBatch: number; recordsPerCpuSecond: number }
  halfLoad: Steady
  idle: { kbPerConnection: number }
}
type GatewayResult = { open: number; kbPerStreamAfterHeartbeats: number; coresUsedWhileIdle: number }

/** What open streams take, from the stored figures. */
export function streamsSection(benchmarksDir: string): string {
  const { at, fanOut, halfLoad, idle } = read<StreamResult>(benchmarksDir, STREAM)
  const gateway = read<GatewayResult>(benchmarksDir, GATEWAY)
  const microsPerSubscriber = halfLoad.microsPerRecord * RECORDS_PER_SECOND
  const rows = SUBSCRIBERS.map((subscribers) => {
    const cores = (subscribers * microsPerSubscriber) / MICROS_PER_SECOND / BUSY_SHARE
    const memory = (kb: number) => `${((subscribers * kb) / KB_PER_GB).toFixed(2)} GB`
    return [
      subscribers.toLocaleString('en'),
      cores < 10 ? cores.toFixed(1) : cores.toFixed(0),
      memory(idle.kbPerConnection),
      String(Math.ceil(subscribers / gateway.open)),
      memory(gateway.kbPerStreamAfterHeartbeats),
    ]
  })
  return `## What live streams take

One subscriber that gets ${RECORDS_PER_SECOND} trades a second in ten messages costs a stream process ${Math.round(microsPerSubscriber)} µs of CPU a second, at
${halfLoad.subscribers.toLocaleString('en')} subscribers with ${halfLoad.delayMs.p99} ms from Kafka to the client at p99; in batches of ${fanOut.recordsPerBatch}, one core sends
${(fanOut.recordsPerCpuSecond / 1e6).toFixed(1)} million records a second ([${STREAM}](benchmarks/${STREAM}), ${at.slice(0, 10)}). The clients ran on the same two cores.
${gateway.open.toLocaleString('en')} idle streams take ${gateway.coresUsedWhileIdle} cores of a gateway ([${GATEWAY}](benchmarks/${GATEWAY})); passing frames through it is not measured.

${[
  ['Subscribers', 'Stream processes: cores', 'their memory', 'Gateways by LIVE_STREAMS_MAX', 'their memory'],
  ['---', '---', '---', '---', '---'],
  ...rows,
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')}

Stream processes share nothing: each reads the topic of live records once, whatever its number of subscribers.`
}

/** The shapes are those that our own benches write. */
function read<T>(dir: string, name: string): T {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as T
}
