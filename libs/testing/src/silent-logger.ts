import { createLogger } from '@tapeline/service/logger'

/** For servers under test; set TEST_LOG_LEVEL to see what they say. */
export const silentLogger = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent')
