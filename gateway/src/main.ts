import { readInternalKeys } from '@tapeline/service/internal-keys'
import { createLogger } from '@tapeline/service/logger'
import { redactConfig } from '@tapeline/service/read-config'
import { runProcess } from '@tapeline/service/run-process'
import { Config, loadConfig } from './config.ts'
import { startGateway } from './start-gateway.ts'

const config = loadConfig(process.env)
const logger = createLogger('gateway', config.LOG_LEVEL)

await runProcess(logger, config.LAME_DUCK_MS, async (running) => {
  logger.info({ config: redactConfig(Config, config) }, 'starting')
  const { port } = await startGateway({ config, logger, internalKeys: readInternalKeys(config.INTERNAL_KEYS), running })
  logger.info({ port }, 'ready')
})
