import { createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import { createDeps } from '../src/deps.ts'
import { StreamServer } from '../src/stream/stream-server.ts'

/** The service's routes and schemas without connected servers. */
export async function describedApp() {
  const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'describe' })
  const deps = createDeps(pool, () => new Date(), 'not used to describe, but long enough')
  const kafka = createKafka({ brokers: 'never.called:9092', clientId: 'describe', log: silentLogger })
  const streams = new StreamServer({ deps, kafka, topicPrefix: '', logger: silentLogger })
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, streams })
  await app.ready()
  return app
}
