import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUSY_SHARE } from './estimate.ts'

const STREAM = 'stream.json'
const GATEWAY = 'stream-gateway.json'
/** Rate of one subscriber in the steady part of the benchmark. */
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

/** Resources of open streams, calculated from the stored figures. */
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
  return `## Resources of live streams

A subscriber that receives ${RECORDS_PER_SECOND} trades a second in ten messages costs a stream process ${Math.round(microsPerSubscriber)} µs of CPU per second. With
${halfLoad.subscribers.toLocaleString('en')} such subscribers, records arrive ${halfLoad.delayMs.p99} ms after their append to Kafka at p99. In batches of ${fanOut.recordsPerBatch}, one core sends
${(fanOut.recordsPerCpuSecond / 1e6).toFixed(1)} million records per second ([${STREAM}](benchmarks/${STREAM}), ${at.slice(0, 10)}). The clients ran on the same two cores.
${gateway.open.toLocaleString('en')} idle streams use ${gateway.coresUsedWhileIdle} cores of a gateway ([${GATEWAY}](benchmarks/${GATEWAY})); the cost of forwarding frames is not measured.

${[
  ['Subscribers', 'Stream processes: cores', 'their memory', 'Gateways by LIVE_STREAMS_MAX', 'their memory'],
  ['---', '---', '---', '---', '---'],
  ...rows,
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')}

Stream processes are independent: each consumes the topic of live records once, regardless of its number of subscribers.`
}

/** The files are written by this repository's benchmarks. */
function read<T>(dir: string, name: string): T {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as T
}
