import { afterAll, beforeAll, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { expectImmediate } from './expect-immediate.ts'
import { AT_ONCE, prepareChanges, type PreparedChanges } from './prepare-changes.ts'

const platform = runningPlatform()
/** Enough trials to reveal rare races. */
const TRIALS = 20

let changes: PreparedChanges

beforeAll(async () => {
  changes = await prepareChanges(platform)
})
afterAll(() => changes?.end())

test.each(AT_ONCE)('%s: no request at any gateway that starts after the answer uses the old state', async (name) => {
  await expectImmediate(changes.named(name), platform.gatewayUrls, TRIALS)
})
