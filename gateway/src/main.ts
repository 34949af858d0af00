import cluster from 'node:cluster'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { createLogger } from '@tapeline/service/logger'
import { redactConfig } from '@tapeline/service/read-config'
import { runProcess } from '@tapeline/service/process/run-process'
import { Config, configOfOneProcess, loadConfig } from './config.ts'
import { superviseProcesses } from './operations/supervise-processes.ts'

const config = loadConfig(process.env)
const logger = createLogger('gateway', config.LOG_LEVEL)
const isSupervisor = config.GATEWAY_PROCESSES > 1 && cluster.isPrimary

await runProcess(logger, config.LAME_DUCK_MS, async (running) => {
  logger.info({ config: redactConfig(Config, config) }, 'starting')
  if (isSupervisor) {
    await superviseProcesses({ config, logger, running })
    logger.info({ processes: config.GATEWAY_PROCESSES }, 'ready')
    return
  }
  // Loaded here, because a process that only supervises needs none of it.
  const { startGateway } = await import('./start.ts')
  const internalKeys = readInternalKeys(config.INTERNAL_KEYS)
  const { port } = await startGateway({ config: configOfOneProcess(config), logger, internalKeys, running })
  logger.info({ port }, 'ready')
})
