export type ApiCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | undefined>
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** The session's token by default; nothing; or a token or API key of one's own, which never ends the session. */
  credential?: 'session' | 'none' | { bearer: string }
  timeoutMs?: number
  signal?: AbortSignal | undefined
}
