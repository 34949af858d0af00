const DEFAULT_BASE_URL = 'http://localhost:3001'
const SAME_ORIGIN = '/'

/** The gateway's origin from the page's `tapeline-api`; "/" means that it answers at the page's own. */
export function apiBaseUrl(content: string | null | undefined): string {
  const configured = content?.trim() ?? ''
  if (configured === '') return DEFAULT_BASE_URL
  if (configured === SAME_ORIGIN) return ''
  return configured.replace(/\/+$/, '')
}
