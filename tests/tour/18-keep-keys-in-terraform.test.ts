import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { listKeysOf, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { afterAll, expect, test } from 'vitest'
import { findTool } from '../../deploy/tools/find-tool.ts'
import { runningPlatform } from '../platform/running-platform.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples')
const program = findTool('tofu') ?? findTool('terraform')
const platform = runningPlatform()
const { gatewayUrl } = platform
const folder = mkdtempSync(join(tmpdir(), 'keys-in-terraform-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Keys = Record<string, { name: string; scopes: string[] }>

/** The configuration with its own state; the secret of a new key is written to a separate file. */
async function workspace() {
  const owner = await signUpUser(gatewayUrl)
  await setLimits(platform, owner.user.id, {})
  const { body } = await send<{ data: CreatedKey }>(`${gatewayUrl}/api/v1/internal/api-keys`, {
    token: owner.jwtToken,
    body: { name: 'terraform', kind: 'service', scopes: ['keys:read', 'keys:write'] },
  })
  cpSync(EXAMPLES, folder, { recursive: true })
  const cwd = join(folder, 'terraform')
  const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_SERVICE_KEY: body.data.apiKey }
  const run = (...args: string[]) => execFileSync(program ?? '', args, { cwd, env, encoding: 'utf8' })
  run('init', '-no-color')
  return {
    run,
    apply: (keys: Keys): string => {
      writeFileSync(join(cwd, 'keys.tfvars.json'), JSON.stringify({ keys }))
      return run('apply', '-auto-approve', '-no-color', '-var-file=keys.tfvars.json')
    },
    states: async () => {
      const { apiKeys } = await listKeysOf(gatewayUrl, owner.jwtToken)
      return Object.fromEntries(apiKeys.map(({ name, status }) => [name, status]))
    },
    secrets: () =>
      readFileSync(join(cwd, 'secrets.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .flatMap((line) => (JSON.parse(line) as { apiKey?: string }).apiKey ?? []),
  }
}

test.skipIf(program === undefined)(
  'docs/examples/terraform creates, renames and revokes keys, and a second apply changes nothing (npm run setup:tools -- opentofu)',
  async () => {
    const { apply, run, states, secrets } = await workspace()
    const reader = { name: 'reader', scopes: ['trades:read'] }
    const books = { name: 'books', scopes: ['l2events:read'] }
    apply({ 'prod.reader': reader, 'prod.books': books })
    expect(await states()).toEqual({ reader: 'active', books: 'active' })
    expect(secrets()).toHaveLength(2)
    const served = await Promise.all(secrets().map(async (secret) => (await listTrades(gatewayUrl, secret)).status))
    expect(served.toSorted((one, other) => one - other)).toEqual([200, 403])

    expect(apply({ 'prod.reader': reader, 'prod.books': books })).toContain('No changes.')
    apply({ 'prod.reader': { ...reader, name: 'renamed' } })
    expect(await states()).toEqual({ renamed: 'active', books: 'revoked' })
    expect(secrets()).toHaveLength(2)

    run('destroy', '-auto-approve', '-no-color', '-var-file=keys.tfvars.json')
    expect(await states()).toEqual({ renamed: 'revoked', books: 'revoked' })
  },
)
