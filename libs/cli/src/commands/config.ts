import type { Arguments } from '../arguments.ts'
import { type Command, formatOption } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { formatOf, writeBatches, writeText } from '../output/output.ts'
import {
  changeProfiles,
  checkKey,
  checkName,
  checkUrl,
  configPath,
  maskKey,
  type Profile,
  readProfiles,
  storeInProfile,
} from '../profiles/profiles.ts'
import { readSecret } from '../profiles/read-secret.ts'

const columns = ['profile', 'in_use', 'url', 'key', 'service_key', 'signed_in']

export const configSetCommand: Command = {
  name: 'config set',
  operands: '[profile]',
  summary: 'Stores the URL and the keys of a profile ("default" without a name)',
  options: {
    url: { type: 'string', value: 'url', text: 'Address of the gateway.' },
    key: {
      type: 'boolean',
      text: 'Reads the API key from a prompt, or from standard input when that is not a terminal.',
    },
    'service-key': { type: 'boolean', text: 'Reads a service key in the same way, for keys, usage and webhooks.' },
  },
  run: async (args) => {
    const name = nameOf(args) ?? 'default'
    const url = args.text('url')
    const field = args.flag('key') ? 'key' : args.flag('service-key') ? 'service_key' : undefined
    if (args.flag('key') && args.flag('service-key'))
      throw new CommandError('Set --key and --service-key in separate commands.')
    if (url === undefined && field === undefined) throw new CommandError('Specify --url, --key or --service-key.')
    const change: Profile = url === undefined ? {} : { url: checkUrl(url) }
    if (field !== undefined) change[field] = checkKey(await readSecret(PROMPTS[field]))
    await storeInProfile(name, change)
    await writeText(`Stored profile ${name} in ${configPath()}.\n`)
  },
}

const PROMPTS = { key: 'API key: ', service_key: 'Service key: ' }

export const configShowCommand: Command = {
  name: 'config show',
  summary: 'Lists the profiles; keys are masked',
  options: formatOption,
  run: async (args) => {
    const { current, profiles } = await readProfiles()
    const masked = (key: string | undefined) => (key === undefined ? null : maskKey(key))
    const rows = Object.entries(profiles).map(([profile, { url, key, service_key: serviceKey, session }]) => ({
      profile,
      in_use: profile === current,
      url: url ?? null,
      key: masked(key),
      service_key: masked(serviceKey),
      signed_in: session !== undefined,
    }))
    await writeBatches([rows], formatOf(args), { table: columns, csv: columns })
  },
}

export const configUseCommand: Command = {
  name: 'config use',
  operands: '<profile>',
  summary: 'Uses this profile from now on',
  options: {},
  run: async (args) => {
    const name = nameOf(args)
    const { profiles } = await readProfiles()
    if (name === undefined || !Object.hasOwn(profiles, name)) {
      const names = Object.keys(profiles).join(', ')
      throw new CommandError(`Specify a stored profile${names === '' ? '; there are none yet' : `: ${names}`}.`)
    }
    await changeProfiles((stored) => ({ ...stored, current: name }))
    await writeText(`Using profile ${name}.\n`)
  },
}

/** @throws CommandError, without repeating a key that was given as an argument */
function nameOf({ operands }: Arguments): string | undefined {
  if (operands.some((text) => text.startsWith('tl_'))) {
    throw new CommandError('A key on the command line ends up in the shell history: pass --key alone and enter it.')
  }
  if (operands.length > 1) throw new CommandError('Specify one profile.')
  return operands[0] === undefined ? undefined : checkName(operands[0])
}
