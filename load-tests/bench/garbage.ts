import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Collection } from './count-garbage.ts'
import { load } from './measure.ts'
import { startOnCore, stopChild } from './start-program.ts'
import { GATEWAY, startTargets, type Targets } from './start-targets.ts'

// Measures the garbage of a request in the gateway: bytes that survive two collections, and the time of collections.

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '64' } },
})
const cores = { measured: 0, others: 1 }
const temporaryDir = mkdtempSync(join(tmpdir(), 'tapeline-garbage-'))
const file = join(temporaryDir, 'garbage.json')
const counter = pathToFileURL(join(import.meta.dirname, 'count-garbage.ts')).href
const plan = { seconds: Number(values.seconds), connections: Number(values.connections) }
const generator = startOnCore('load-generator.ts', cores.others)
let targets: Targets | undefined
try {
  const gatewayEnv = { NODE_OPTIONS: `--import=${counter}`, GARBAGE_FILE: file }
  targets = await startTargets(temporaryDir, cores, { names: [GATEWAY], gatewayEnv })
  const [gateway] = targets.list
  if (gateway === undefined) throw new Error('there is no gateway')
  await load(generator, gateway, { kind: 'closed', ...plan })
  const fromMs = Date.now()
  const { answered } = await load(generator, gateway, { kind: 'closed', ...plan })
  const toMs = Date.now()
  await targets.stop()
  targets = undefined
  if (!existsSync(file)) throw new Error('the gateway ended without a word of its collections')
  // The measured process has just written it.
  const all = JSON.parse(readFileSync(file, 'utf8')) as Collection[]
  report(
    all.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
    answered,
  )
} finally {
  await targets?.stop()
  await stopChild(generator)
  rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 })
}

function report(collections: Collection[], requests: number): void {
  let outlived = 0
  for (const [n, { isMinor, oldBytes }] of collections.entries()) {
    if (isMinor) outlived += Math.max(0, oldBytes - (collections[n - 1]?.oldBytes ?? oldBytes))
  }
  const minor = collections.filter(({ isMinor }) => isMinor)
  const sum = (list: Collection[]) => list.reduce((ms, one) => ms + one.ms, 0)
  const others = collections.filter(({ isMinor }) => !isMinor)
  console.log(`${requests} requests, ${minor.length} minor collections of ${(sum(minor) / minor.length).toFixed(1)} ms`)
  console.log(`${others.length} steps of major ones, ${sum(others).toFixed(0)} ms together`)
  console.log(`${(outlived / requests).toFixed(0)} bytes of a request outlive two collections`)
}
