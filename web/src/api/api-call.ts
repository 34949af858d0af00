export type ApiCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | undefined>
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /**
   * By default the session's token; otherwise none, or another token or API key, whose rejection never ends the
   * session.
   */
  credential?: 'session' | 'none' | { bearer: string }
  timeoutMs?: number
  /** The browser completes it even if the page is closed meanwhile. */
  outlivesPage?: true
  signal?: AbortSignal | undefined
}
