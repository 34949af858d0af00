import { expect, test } from 'vitest'
import { startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli } from '../../test/run-cli.fixture.ts'

const trade = (id: string) => ({ id, venue: 'sim', symbol: 'BTC-USDT', price: '60000.5', size: '0.10' })

/** A stream of one trade, a late one and another one; it then stays open. */
async function startStream() {
  const event = (type: string, message: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...message })}\n\n`
  const server = await startApiServer({
    '/api/v1/stream': (reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write(event('trades', { id: 'stream', data: [trade('first')], cursor: 'c1' }))
      reply.write(event('late', { id: 'stream', channel: 'trades', data: [trade('late')], omitted: 0 }))
      reply.write(event('late', { id: 'stream', channel: 'trades', data: [], omitted: 7 }))
      reply.write(event('trades', { id: 'stream', data: [trade('last')], cursor: 'c2' }))
    },
  })
  return { TAPELINE_URL: server.url, TAPELINE_KEY: 'tl_test_abcdefgh' }
}

const idsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id)

test('late records are written when they arrive, and those that were not sent are counted on stderr', async () => {
  const { out, err, code } = await runCli(['stream', 'BTC-USDT', '--limit', '3'], { env: await startStream() })
  expect(idsOf(out)).toEqual(['first', 'late', 'last'])
  expect({ err, code }).toEqual({
    err: '7 records that were stored late were not sent: list the range again\n',
    code: 0,
  })
})

test('CSV has the time of sending too', async () => {
  const { out } = await runCli(['stream', '--limit', '1', '--format', 'csv'], { env: await startStream() })
  expect(out.split('\r\n')[0]).toMatch(/,id,ts_out$/)
})

test('late records count toward the limit', async () => {
  const { out, code } = await runCli(['stream', 'BTC-USDT', '--limit', '2'], { env: await startStream() })
  expect(idsOf(out)).toEqual(['first', 'late'])
  expect(code).toBe(0)
})
