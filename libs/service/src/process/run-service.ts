import type { ServiceName } from '@tapeline/contracts/actor'
import type { Static, TObject } from 'typebox'
import type { Server } from '../create-server.ts'
import type { Logger } from '../logger.ts'
import { type processFields, redactConfig } from '../read-config.ts'
import { type Process, runProcess } from './run-process.ts'
import { startTracing } from '../tracing.ts'

type ProcessConfig = Static<TObject<typeof processFields>> & { PORT: number }
export type ServiceOptions<T extends TObject> = {
  name: ServiceName
  /** Marks the secret fields of `config`. */
  schema: T
  config: Readonly<Static<T>> & Readonly<ProcessConfig>
  logger: Logger
}

/**
 * Runs the process of one service: `start` connects its parts and returns the server, which then listens and is
 * stopped first.
 */
export async function runService<T extends TObject>(
  { name, schema, config, logger }: ServiceOptions<T>,
  start: (process: Process) => Promise<Server>,
): Promise<void> {
  await runProcess(logger, config.LAME_DUCK_MS, async (running) => {
    const { onStop } = running
    logger.info({ config: redactConfig(schema, config) }, 'starting')
    onStop('tracing', await startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }))
    const app = await start(running)
    onStop('http', () => app.close())
    await app.listen({ host: config.HOST, port: config.PORT })
    logger.info({ port: config.PORT }, 'ready')
  })
}
