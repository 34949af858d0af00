/** No connection to a primary; with the code of SQL's class 08, so that callers treat it like a lost connection. */
export class ConnectionError extends Error {
  readonly code: '08001' | '08006'

  /** @param code 08001: none was established; 08006: it was lost */
  constructor(code: ConnectionError['code'], message: string) {
    super(message)
    this.name = 'ConnectionError'
    this.code = code
  }
}
