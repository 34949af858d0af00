import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Logger } from '@tapeline/service/logger'
import type { Process } from '@tapeline/service/run-process'
import type { Config } from './config.ts'

/** What a gateway is started with. */
export type StartOptions = {
  config: Config
  logger: Logger
  internalKeys: InternalKeys
  running: Pick<Process, 'onStop' | 'isStopping'>
}
