/** SQLSTATE classes caused by the data. All others (connections, locks, a missing table) can be temporary. */
const DATA_ERROR = /^(21|22|23|54)/
const SQLSTATE = /^[0-9A-Z]{5}$/
const NETWORK = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** pg's errors without a code. "Not queryable": PostgreSQL ended the connection between two statements of a transaction. */
const CONNECTION_LOST =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|Cannot use a pool after calling end/

/** True when the same transaction may succeed later: such failures are retried, never dead-lettered. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name.startsWith('KafkaJS') || CONNECTION_LOST.test(error.message)) return true
  if (error.name === 'StoreError') return 'failure' in error && error.failure === 'unavailable'
  if (!('code' in error) || typeof error.code !== 'string') return false
  if (NETWORK.has(error.code)) return true
  return SQLSTATE.test(error.code) && !DATA_ERROR.test(error.code)
}
