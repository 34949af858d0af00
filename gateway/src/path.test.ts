import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type Edge, startEdge, startTestGateway, type TestGateway } from './gateway-under-test.ts'

let edge: Edge
let gateway: TestGateway

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

test('a request with a key reaches its service and says what is left', async () => {
  const { apiKey } = addAccount(edge)
  const response = await fetch(`${gateway.url}/api/v1/trades/list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"symbols":["BTC"]}',
  })
  console.log(response.status, Object.fromEntries(response.headers), await response.text())
  expect(response.status).toBe(200)
})
