import { expect, test } from 'vitest'
import { freePorts, readPorts } from './ports.ts'

test('one variable shifts all ports, so that a second clone can run at the same time', () => {
  const [first, second] = [readPorts({}), readPorts({ TAPELINE_PORT_OFFSET: '1000' })]
  expect(second.gateway).toBe(4001)
  expect(Object.values(second).filter((port) => Object.values(first).includes(port))).toEqual([])
})

test('an explicit port takes precedence over the offset', () => {
  const ports = readPorts({ TAPELINE_PORT_OFFSET: '1000', MARKET_DATA_PORT: '9999', POSTGRES_PORT: '7777' })
  expect(ports).toMatchObject({ 'market-data': 9999, postgres: 7777, kafka: 30_092 })
})

test.each([
  [{ WEB_PORT: 'eighty' }, /NaN is not a valid port for web.*WEB_PORT/],
  [{ WEB_PORT: '80' }, /80 is not a valid port for web/],
  [{ TAPELINE_PORT_OFFSET: '60000' }, /is not a valid port for/],
  [{ TAPELINE_PORT_OFFSET: '3000' }, /Browsers refuse port 6000 \(web\).*TAPELINE_PORT_OFFSET/],
  [{ WEB_PORT: '3001' }, /web and gateway have the same port 3001|gateway and web have the same port 3001/],
])('%o is rejected with the variable to set', (env, line) => {
  const attempt = (): unknown => readPorts(env)
  expect(attempt).toThrow(expect.objectContaining({ line: expect.stringMatching(line) }))
})

test('free ports are all different', async () => {
  const ports = Object.values(await freePorts())
  expect(new Set(ports).size).toBe(ports.length)
})
