import type { Tapeline } from '@tapeline/client'
import type { Arguments } from '../arguments.ts'
import { callOptions, type Command, type Option } from '../command.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { keyColumns } from '../output/columns.ts'
import { formatOf, writeOne } from '../output/output.ts'
import { connectAccount, findProfile, urlOf } from '../profiles/connect.ts'
import { checkUrl, readProfiles, storeInProfile } from '../profiles/profiles.ts'

const KEYS = '/api/v1/internal/api-keys'

type Key = { id: string; name: string; prefix: string; status: string; expires_at: string | null }
/** `apiKey` is the secret; it is absent when the answer with it was lost and the creation was repeated. */
type CreatedKey = { apiKey?: string; key: Key; warnings?: { message: string }[] }

const kindOption = {
  kind: { type: 'string', choices: ['data', 'service'], text: 'Default data: a key that reads market data.' },
} as const satisfies Record<string, Option>
const tagOption = {
  tag: { type: 'string', value: 'tag', multiple: true, text: 'Tag, such as team:data. Repeat for several.' },
} as const satisfies Record<string, Option>
const saveOption = {
  save: { type: 'boolean', text: 'Stores the key in the profile instead of printing it.' },
} as const satisfies Record<string, Option>

export const keysListCommand: Command = {
  name: 'keys list',
  summary: 'API keys of the account, with status and last use',
  options: {
    ...kindOption,
    tag: { type: 'string', value: 'tag', text: 'Only keys with this tag.' },
    'unused-days': { type: 'string', value: 'n', text: 'Only keys that were not used for this number of days.' },
    ...callOptions,
  },
  run: async (args) => {
    const query = { kind: args.text('kind'), tag: args.text('tag'), unused_days: args.count('unused-days') }
    const rows = await listKeys(await connectAccount(args), query)
    await writeOne({ whole: { data: rows }, rows }, formatOf(args), keyColumns)
  },
}

export const keysCreateCommand: Command = {
  name: 'keys create',
  operands: '<name>',
  summary: 'Creates a key and prints it, once',
  options: {
    ...kindOption,
    scope: { type: 'string', value: 'scope', multiple: true, text: 'Scope. Default: all scopes of market data.' },
    ...tagOption,
    network: { type: 'string', value: 'cidr', multiple: true, text: 'Address or network that may use the key.' },
    expires: { type: 'string', value: 'time', text: 'A date, or RFC 3339 in UTC. Default: never.' },
    environment: { type: 'string', choices: ['live', 'test'], text: 'Default live; test reads the simulated venue.' },
    ...saveOption,
    ...callOptions,
  },
  run: async (args) => {
    const fields = {
      name: oneOperand(args, 'Name the new key: tapeline keys create ci.'),
      kind: args.text('kind'),
      scopes: args.list('scope'),
      tags: args.list('tag'),
      networks: args.list('network'),
      expires_at: args.text('expires'),
      environment: args.text('environment'),
    }
    const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const profile = await profileToSave(args)
    const call = { method: 'POST', path: KEYS, body, idempotencyKey: crypto.randomUUID() } as const
    const { data } = await (await connectAccount(args)).call<{ data: CreatedKey }>(call)
    await presentSecret(args, data, profile)
  },
}

export const keysRotateCommand: Command = {
  name: 'keys rotate',
  operands: '<key>',
  summary: 'Replaces the secret of a key and prints the new one, once',
  options: {
    grace: {
      type: 'string',
      choices: ['0', '60', '900', '3600', '21600', '86400'],
      text: 'Seconds for which the replaced secret keeps working. Default 0.',
    },
    ...saveOption,
    ...callOptions,
  },
  run: async (args) => {
    const account = await connectAccount(args)
    const { id } = await findKey(account, args)
    const body = { grace_seconds: Number(args.text('grace') ?? 0) }
    const path = `${KEYS}/${id}/regenerate`
    const profile = await profileToSave(args)
    const { data } = await account.call<{ data: CreatedKey }>({ method: 'POST', path, body })
    await presentSecret(args, data, profile)
  },
}

export const keysShowCommand: Command = changeOf(
  'keys show',
  'One key with its limits and last use',
  async (account, { id }) => account.call<{ data: CreatedKey }>({ method: 'GET', path: `${KEYS}/${id}` }),
)
export const keysRevokeCommand: Command = changeOf(
  'keys revoke',
  'Revokes a key permanently',
  async (account, { id }) => account.call<{ data: CreatedKey }>({ method: 'PATCH', path: `${KEYS}/${id}/revoke` }),
)

function changeOf(
  name: string,
  summary: string,
  change: (account: Tapeline, key: Key) => Promise<{ data: CreatedKey }>,
): Command {
  return {
    name,
    operands: '<key>',
    summary,
    options: callOptions,
    run: async (args) => {
      const account = await connectAccount(args)
      const { data } = await change(account, await findKey(account, args))
      await writeOne({ whole: data, rows: [data.key] }, formatOf(args), keyColumns)
    },
  }
}

/**
 * The profile of `--save`, undefined without it. It is written before there is a key, whose secret is returned once.
 * @throws CommandError when it is the profile of another platform
 */
async function profileToSave(args: Arguments): Promise<string | undefined> {
  if (!args.flag('save')) return undefined
  const found = await findProfile(args.text('profile'))
  const url = urlOf(found)
  const { profiles } = await readProfiles()
  const stored = Object.hasOwn(profiles, found.name) ? profiles[found.name]?.url : undefined
  if (stored !== undefined && checkUrl(stored) !== url) {
    throw new CommandError(`Profile ${found.name} is for ${stored}, not for ${url}: name another one with --profile.`)
  }
  await storeInProfile(found.name, { url })
  return found.name
}

/** The key goes to standard output, so that it can be piped into a secret store; the rest is a message. */
async function presentSecret(
  args: Arguments,
  { apiKey, key, warnings = [] }: CreatedKey,
  profile: string | undefined,
): Promise<void> {
  for (const { message } of warnings) process.stderr.write(`${message}\n`)
  if (apiKey === undefined) {
    const text = `Key ${key.prefix} was created, but the response with its secret was lost. Run "tapeline keys rotate ${key.prefix}".`
    throw new CommandError(text, EXIT_CODES.unavailable)
  }
  const failure = profile === undefined ? undefined : await saveSecret(profile, apiKey)
  if (profile !== undefined && failure === undefined) {
    process.stderr.write(`Stored ${key.prefix}… in profile ${profile}.\n`)
    return
  }
  if (formatOf(args) === 'table') process.stderr.write('Store the key now: it is not shown again.\n')
  await writeOne({ whole: { apiKey, key }, rows: [{ key: apiKey }] }, formatOf(args), { table: ['key'], csv: ['key'] })
  if (failure !== undefined) {
    throw new CommandError(`The key was printed because it could not be stored: ${failure}`, EXIT_CODES.failed)
  }
}

/** Returns why the secret could not be stored: there is no other copy of it, so nothing is thrown. */
async function saveSecret(profile: string, apiKey: string): Promise<string | undefined> {
  try {
    await storeInProfile(profile, apiKey.startsWith('tl_svc_') ? { service_key: apiKey } : { key: apiKey })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function listKeys(account: Tapeline, query: Record<string, string | number | undefined>): Promise<Key[]> {
  return (await account.call<{ data: { apiKeys: Key[] } }>({ method: 'GET', path: KEYS, query })).data.apiKeys
}

/** By id, by prefix (`tl_live_…`, the 20 characters of lists), or by a name that only one key has. @throws CommandError */
async function findKey(account: Tapeline, args: Arguments): Promise<Key> {
  const identifier = oneOperand(args, 'Specify one key: its id, prefix or name. "tapeline keys list" shows them.')
  const keys = await Promise.all(['data', 'service'].map(async (kind) => listKeys(account, { kind })))
  const all = keys.flat().filter(({ id, prefix, name }) => [id, prefix, name].includes(identifier))
  const usable = all.filter(({ status }) => status !== 'revoked')
  // A key often has the name of the revoked one that it replaces.
  const found = usable.length > 0 ? usable : all
  if (found.length === 1 && found[0] !== undefined) return found[0]
  const reason = found.length === 0 ? 'No key has' : `${found.length} keys have`
  throw new CommandError(`${reason} this id, prefix or name.`, EXIT_CODES.refused)
}

function oneOperand({ operands }: Arguments, usage: string): string {
  const [first, ...others] = operands
  if (first === undefined || others.length > 0) throw new CommandError(usage)
  return first
}
