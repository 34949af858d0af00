import type { LoggedRequest } from '@tapeline/contracts/audit/requests'

/** The same kind of request for a shell. Secrets and bodies are not stored, so both are placeholders. */
export function curlOf({ method, route, key_id }: Pick<LoggedRequest, 'method' | 'route' | 'key_id'>, apiUrl: string) {
  const credential = key_id === 'session' ? '$TAPELINE_TOKEN' : '$TAPELINE_API_KEY'
  const lines = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}'${apiUrl}${route.replaceAll(/:(\w+)/g, '{$1}')}'`,
    `-H "Authorization: Bearer ${credential}"`,
  ]
  if (method === 'POST') lines.push(`-H 'Content-Type: application/json'`, `-d '{"venues":["sim"],"limit":3}'`)
  return lines.join(' \\\n  ')
}
