import type { DemoAccount } from '@tapeline/service/demo-accounts'

export type Summary = {
  accounts: DemoAccount[]
  apiKey: string | null
  ports: { web: number; gateway: number; mail: number; oidc: number }
  dir: string
  seconds: number
  processes: string[]
}

/** Everything that a user needs to start, in one block. */
export function formatSummary({ accounts, apiKey, ports, dir, seconds, processes }: Summary): string {
  const api = `http://localhost:${ports.gateway}`
  const emailWidth = Math.max(...accounts.map(({ email }) => email.length))
  const lines = [
    '',
    `  Tapeline is ready after ${seconds.toFixed(1)} s`,
    '',
    ...(processes.includes('web') ? [`  Web       http://localhost:${ports.web}`] : []),
    `  API       ${api}/api/v1`,
    ...(processes.includes('mail')
      ? [`  Mail      http://localhost:${ports.mail}   (all mail of the platform; none leaves this machine)`]
      : []),
    ...(processes.includes('mail') && !process.env.OIDC_ISSUER
      ? [`  Google    http://localhost:${ports.oidc}   (replaced by a local identity provider)`]
      : []),
    `  Data      ${dir}`,
    '',
    '  Demo accounts (password kept in demo-accounts.json)',
    ...accounts.map(
      ({ email, password, role, tier }) => `    ${email.padEnd(emailWidth)}   ${password}   ${role}, ${tier}`,
    ),
    ...(apiKey === null ? [] : ['', `  Demo API key   ${apiKey}`, '', '  Try it', `    ${curlLine(api, apiKey)}`]),
    '',
    '  Ctrl-C stops everything and keeps the data. Log lines of the processes follow.',
    '',
  ]
  return lines.join('\n')
}

export function curlLine(api: string, apiKey: string): string {
  return `curl -sS -X POST ${api}/api/v1/trades/list -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' -d '{"venues":["sim"],"limit":3}'`
}
