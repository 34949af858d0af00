import { startTestPlatform, type TestPlatform, type TestPlatformOptions } from '@tapeline/testing/test-platform'
import { createRandom, type Random } from './random.ts'
import { createHistory, type History } from './history.ts'
import { startWires, type Wires, type WiresOptions } from './wires.ts'

/** A guarantee and its violations; without violations it was met. */
export type Check = { guarantee: string; broken: string[] }
export type Outcome = { checks: Check[]; figures: Record<string, number> }
/**
 * Number and duration of faults: the test suite uses the short form, the command the long one, which also checks times.
 */
export type Size = { kills: number; awayMs: number; settledWithinMs: number; isTimed: boolean }
export type RunningLoad = { stop: () => Promise<void> }
/** Environment of a drill; its clients are stopped in any case. */
export type Field = {
  platform: TestPlatform
  wires: Wires
  /** Seed of `random`; the same seed repeats the same moments. */
  seed: number
  random: Random
  history: History
  size: Size
  loads: RunningLoad[]
}
export type Drill = {
  name: string
  what: string
  /** Options of a separate platform for this drill; the shared platform by default. */
  platform?: TestPlatformOptions
  wires?: WiresOptions
  run: (field: Field) => Promise<Outcome>
}

/** Longer timeouts, so that a busy machine is not mistaken for a hanging Redis: drills stop it for good. */
const LONG_REPLY_TIMEOUT = { LIMITER_REPLY_WITHIN_MS: '1000' }
/** A process that ends unexpectedly is not restarted, and the drill fails. */
export const PLATFORM: TestPlatformOptions = {
  gateways: 2,
  streamProcesses: 2,
  isRestarting: false,
  only: [
    'config',
    'identity',
    'api-key',
    'audit',
    'market-data',
    'stream-1',
    'stream-2',
    'gateway',
    'gateway-2',
    'mail',
  ],
  // A short simulated history, so that drills soon have current records.
  env: { gateway: LONG_REPLY_TIMEOUT, 'market-data': { SIMULATOR_HISTORY_HOURS: '1' } },
}

/** A platform with a proxy per service, so that a single service can lose its database. */
export type WiredPlatform = { platform: TestPlatform; wires: Wires; stop: () => Promise<void> }

export async function startWiredPlatform(
  options: TestPlatformOptions = PLATFORM,
  wiresOptions: WiresOptions = {},
): Promise<WiredPlatform> {
  const wires = await startWires(wiresOptions)
  try {
    const platform = await startTestPlatform({ ...options, overrideEnvironment: wires.overrideEnvironment })
    const stop = async () => {
      await platform.stop()
      await wires.stop()
    }
    return { platform, wires, stop }
  } catch (error) {
    await wires.stop()
    throw error
  }
}

export type FieldOptions = { seed: number; size: Size; historyFile?: string }

export function createField({ platform, wires }: WiredPlatform, { seed, size, historyFile }: FieldOptions): Field {
  return { platform, wires, seed, random: createRandom(seed), history: createHistory(historyFile), size, loads: [] }
}

export async function runDrill(field: Field, run: Drill['run']): Promise<Outcome> {
  try {
    return await run(field)
  } finally {
    await Promise.all(field.loads.map((load) => load.stop()))
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function check(guarantee: string, broken: readonly string[]): Check {
  return { guarantee, broken: [...broken] }
}

/** A check of a single condition. */
export function checkThat(guarantee: string, isMet: boolean, found: string): Check {
  return { guarantee, broken: isMet ? [] : [found] }
}
