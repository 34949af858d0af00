import { createServer as createHttpServer } from 'node:http'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { expect, test } from 'vitest'
import { createServer } from './create-server.ts'
import { startTracing } from './tracing.ts'

test("a request is a span of its caller's trace", async () => {
  const bodies: string[] = []
  const collector = createHttpServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () => {
        bodies.push(body)
        response.end('{}')
      })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = await startTracing({ service: 'audit', endpoint: `http://127.0.0.1:${port}` })
  const app = await createServer({
    name: 'audit',
    logger: silentLogger,
    internalKeys: testInternalKeys,
    checks: {},
    now: () => new Date(),
  })
  app.get('/things/:id', { config: { access: { role: 'user' } } }, async () => ({ ok: true }))
  const traceId = crypto.randomUUID().replaceAll('-', '')
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  await callAs(app, 'audit', someUser(), { method: 'GET', url: '/things/7', headers: { traceparent } })
  await app.close()
  await stop()
  collector.close()
  expect(bodies.join()).toContain(traceId)
  expect(bodies.join()).toContain('GET /things/:id')
  expect(bodies.join()).toContain('tapeline-audit')
})
