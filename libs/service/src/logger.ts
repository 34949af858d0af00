import { type Logger, pino } from 'pino'

const REDACTED_PATHS = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers["x-actor"]',
  'req.headers.cookie',
  'password',
  '*.password',
  'newPassword',
  '*.newPassword',
  'refreshToken',
  '*.refreshToken',
  'jwtToken',
  '*.jwtToken',
  'apiKey',
  '*.apiKey',
  'secret',
  '*.secret',
  'token',
  '*.token',
]

export type { Logger } from 'pino'

/** Writes JSON lines to standard output; secrets are redacted. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    name: service,
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
  })
}
