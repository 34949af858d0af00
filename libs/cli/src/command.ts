import type { Arguments } from './arguments.ts'

export type Option = {
  type: 'string' | 'boolean'
  /** Name of the value in the help text. */
  value?: string
  /** The only values that are accepted; completion offers them. */
  choices?: readonly string[]
  /** May be repeated; each value may be a comma-separated list. */
  multiple?: true
  text: string
}

export type Command = {
  /** One word, or two: `files list`. */
  name: string
  /** Positional arguments, for the help text. */
  operands?: string
  summary: string
  options: Readonly<Record<string, Option>>
  /** Writes to standard output. @throws CommandError, TapelineError */
  run: (args: Arguments) => Promise<void>
}

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export const formatOption = {
  format: {
    type: 'string',
    choices: FORMATS,
    text: 'Output format. Default: table on a terminal, ndjson otherwise.',
  },
} as const satisfies Record<string, Option>

/** Options of every command that calls the API. */
export const callOptions = {
  ...formatOption,
  profile: { type: 'string', value: 'name', text: 'Profile with URL and key. Default: the profile in use.' },
} as const satisfies Record<string, Option>

export const selectionOptions = {
  venue: { type: 'string', value: 'name', multiple: true, text: 'Venue, such as binance. Repeat for several.' },
} as const satisfies Record<string, Option>

export const rangeOptions = {
  since: { type: 'string', value: 'time', text: 'Inclusive start: 15m, 2h, 7d (ago), a date, or RFC 3339 in UTC.' },
  until: { type: 'string', value: 'time', text: 'Exclusive end, in the same forms.' },
} as const satisfies Record<string, Option>

export const channelOption = {
  channel: { type: 'string', choices: ['trades', 'l2events'], text: 'Kind of records.' },
} as const satisfies Record<string, Option>

export const l2Options = {
  type: {
    type: 'string',
    choices: ['snapshot', 'update', 'clear', 'gap'],
    multiple: true,
    text: 'Type of event. Repeat for several.',
  },
  depth: { type: 'string', value: 'n', text: 'Levels per side.' },
} as const satisfies Record<string, Option>

export const sideOption = {
  side: { type: 'string', choices: ['buy', 'sell', 'unknown'], text: 'Side of the taker.' },
} as const satisfies Record<string, Option>
