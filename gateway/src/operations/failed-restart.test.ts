import { copyFileSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openTestTopics, type TestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../test/account.fixture.ts'
import { startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { type Edge, startEdge } from '../../test/gateway.fixture.ts'

const TEST_TIMEOUT_MS = 400_000
const RESTARTED_WITHIN_MS = 120_000
/** Longer than the first two back-offs together, so that at least two restarts fail. */
const FAILING_MS = 1_500

let edge: Edge
let topics: TestTopics

beforeAll(async () => {
  edge = await startEdge()
  topics = await openTestTopics(['usage', 'identity', 'api-key', 'config'])
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await topics.drop()
  await edge.stop()
})

/** Status of a request on a connection of its own; 0 if there is no answer. */
function statusOf(url: string, apiKey: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${url}/api/v1/trades/list`, { agent: false, headers: { 'x-api-key': apiKey } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', () => resolve(0))
  })
}

/** An executable of its own, so that new processes cannot be started while its folder is away. */
function removableNode(): { node: string; folder: string; remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'gateway-node-'))
  const folder = join(parent, 'bin')
  const node = join(folder, 'node')
  mkdirSync(folder)
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  return { node, folder, remove: () => rmSync(parent, { recursive: true, force: true }) }
}

test.each([
  ['with an error event, as at the limit of processes', () => {}],
  ['with an exception, as without memory', (folder: string) => writeFileSync(folder, '')],
])(
  'the other process continues while the restart of a killed one fails %s, and the restart is repeated',
  { timeout: TEST_TIMEOUT_MS },
  async (_how, replaceFolder) => {
    const { apiKey } = addAccount(edge)
    const { node, folder, remove } = removableNode()
    const gateway = await startGatewayProcess(edge, { GATEWAY_PROCESSES: '2', KAFKA_TOPIC_PREFIX: topics.prefix }, node)
    try {
      const [killed, other] = await gateway.processes()
      renameSync(folder, `${folder}-away`)
      replaceFolder(folder)
      const killedAtMs = performance.now()
      process.kill(killed?.pid ?? 0, 'SIGKILL')
      await waitUntil('the process has ended', async () => (await gateway.processes())[0]?.pid === null)
      while (performance.now() - killedAtMs < FAILING_MS) {
        expect(await statusOf(gateway.url, apiKey)).toBe(200)
        await delay(50)
      }
      rmSync(folder, { force: true })
      renameSync(`${folder}-away`, folder)
      const areReady = async () => (await gateway.processes()).every(({ ready }) => ready)
      await waitUntil('both processes are ready', areReady, RESTARTED_WITHIN_MS)
      const [restarted, same] = await gateway.processes()
      expect(restarted?.pid).not.toBe(killed?.pid)
      expect(same?.pid).toBe(other?.pid)
      expect(await gateway.stop()).toBe(0)
    } finally {
      await gateway.stop()
      remove()
    }
  },
)
