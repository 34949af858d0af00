/** SQLSTATE classes and codes that pass by themselves: connections, shutdown, serialization, deadlock, timeouts, resources. */
const TRANSIENT = /^(08|53|57|40001|40P01|55P03|25P03)/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/** True when the same transaction may succeed later: such a failure is waited out, never dead-lettered. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (/Connection terminated|timeout exceeded when trying to connect|Client was closed/.test(error.message)) return true
  if (!('code' in error) || typeof error.code !== 'string') return false
  return NETWORK.has(error.code) || TRANSIENT.test(error.code)
}
