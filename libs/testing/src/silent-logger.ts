import { createLogger } from '@tapeline/service/logger'

/** For servers under test; set TEST_LOG_LEVEL to see their logs. */
export const silentLogger = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent')
