import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DataFile, ListFilesQuery, Tapeline } from '@tapeline/client'
import { downloadFile } from '@tapeline/client/node'
import type { Arguments } from '../arguments.ts'
import { callOptions, channelOption, type Command, type Option } from '../command.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { fileColumns, storedColumns } from '../output/columns.ts'
import { formatOf, takeRecords, writeBatches } from '../output/output.ts'
import { startProgress } from '../output/progress.ts'
import { connect } from '../profiles/connect.ts'

const fileOptions = {
  venue: { type: 'string', value: 'name', text: 'Venue, such as binance.' },
  symbol: { type: 'string', value: 'name', text: 'Symbol, such as BTC-USDT.' },
  ...channelOption,
  since: { type: 'string', value: 'date', text: 'First day in UTC, or 7d for seven days ago.' },
  until: { type: 'string', value: 'date', text: 'Last day in UTC, inclusive.' },
  limit: { type: 'string', value: 'n', text: 'Maximum number of files. Default: all.' },
  ...callOptions,
} as const satisfies Record<string, Option>

const NO_FILES =
  'No file matches: a day becomes a file about 24 hours after its end. "tapeline files list" shows all files.\n'

export const filesListCommand: Command = {
  name: 'files list',
  summary: 'Sealed days as Parquet files, oldest first',
  options: fileOptions,
  run: async (args) => {
    const files = (await connect(args)).files.list(queryOf(args))
    await writeBatches(takeRecords(files.pages(), args.count('limit') ?? Infinity), formatOf(args), fileColumns)
  },
}

export const filesDownloadCommand: Command = {
  name: 'files download',
  operands: '[id…]',
  summary: 'Downloads files by id or by the options of files list; resumes partial files and verifies SHA-256',
  options: {
    to: { type: 'string', value: 'folder', text: 'Folder to store them in. Default: the current folder.' },
    ...fileOptions,
  },
  run: async (args) => {
    const query = queryOf(args)
    if (args.operands.length === 0 && Object.keys(query).length === 0) {
      throw new CommandError(
        'Specify the files: ids, or at least one of --venue, --symbol, --channel, --since, --until.',
      )
    }
    const folder = args.text('to') ?? '.'
    const tapeline = await connect(args)
    const files = await findFiles(tapeline, args, query)
    if (files.length === 0) process.stderr.write(NO_FILES)
    await mkdir(folder, { recursive: true })
    await writeBatches(storeFiles(tapeline, files, folder), formatOf(args), storedColumns)
  },
}

function queryOf(args: Arguments): ListFilesQuery {
  const day = (name: string) => args.time(name)?.slice(0, '2026-01-02'.length)
  const query = {
    venue: args.text('venue'),
    symbol: args.text('symbol'),
    channel: args.text('channel'),
    from: day('since'),
    to: day('until'),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** @throws CommandError when an id is not among the files that the query selects */
async function findFiles(tapeline: Tapeline, args: Arguments, query: ListFilesQuery): Promise<DataFile[]> {
  const missing = new Set(args.operands)
  const max = args.count('limit') ?? Infinity
  if (missing.size === 0) return tapeline.files.list(query).toArray(max)
  const found: DataFile[] = []
  for await (const file of tapeline.files.list(query)) {
    if (missing.delete(file.id)) found.push(file)
    if (missing.size === 0 || found.length >= max) return found
  }
  throw new CommandError(
    `There is no such file: ${[...missing].join(', ')}. See "tapeline files list".`,
    EXIT_CODES.refused,
  )
}

async function* storeFiles(tapeline: Tapeline, files: readonly DataFile[], folder: string) {
  for (const file of files) {
    const path = join(folder, fileNameOf(file))
    const isStored = (await sha256Of(path)) === file.sha256
    if (!isStored) await storeFile(tapeline, file, path)
    yield [{ name: file.name, bytes: file.bytes, state: isStored ? 'unchanged' : 'stored', path, id: file.id }]
  }
}

async function storeFile(tapeline: Tapeline, file: DataFile, path: string): Promise<void> {
  const progress = startProgress(file.name)
  try {
    await downloadFile(tapeline, file, path, { onProgress: progress.update })
  } finally {
    progress.end()
  }
}

/** The name comes from the server: it must not refer to a path outside of the folder. @throws CommandError */
function fileNameOf({ id, name }: DataFile): string {
  const isPlain = name === basename(name) && !name.startsWith('.') && !/[\\\p{Cc}]/u.test(name)
  if (isPlain && name !== '') return name
  throw new CommandError(`The name of file ${id} is not a valid file name.`, EXIT_CODES.failed)
}

/** Undefined when there is no such file. */
async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
