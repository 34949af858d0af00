import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { checkKey, type ObjectInfo, type ObjectStore, StoreError } from './object-store.ts'

const TEMPORARY = '.tmp'
/** Longer than any write: older temporary files were left by a killed process. */
const TEMPORARY_AGE_MAX_MS = 3_600_000

/** Objects as files below a folder. */
export function folderStore(root: string): ObjectStore {
  const pathOf = (key: string) => join(root, checkKey(key))
  return {
    putIfAbsent: (key, bytes) => putFile(pathOf(key), bytes),
    getRange: (key, from, to) => readRange(pathOf(key), key, { from, to }),
    head: async (key) => {
      const found = await stat(pathOf(key)).catch(whenAbsent)
      return found && { size: found.size }
    },
    list: (prefix) => listFiles(root, prefix),
    delete: (key) => rm(pathOf(key), { force: true }),
  }
}

/** `link` fails when the name exists; `rename` would overwrite it. */
async function putFile(target: string, bytes: Uint8Array): Promise<'stored' | 'exists'> {
  const temporary = `${target}.${randomUUID()}${TEMPORARY}`
  await mkdir(dirname(target), { recursive: true })
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temporary, target)
    await syncFolder(dirname(target))
    return 'stored'
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

async function syncFolder(folder: string): Promise<void> {
  const file = await open(folder, constants.O_RDONLY)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readRange(path: string, key: string, range: { from: number; to: number }): Promise<ArrayBuffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    const failure = codeOf(error) === 'ENOENT' ? 'missing' : 'unavailable'
    throw new StoreError(failure, `${key}: cannot be opened`, error)
  })
  try {
    const length = range.to - range.from
    const bytes = new Uint8Array(length)
    const { bytesRead } = await file.read(bytes, 0, length, range.from)
    if (bytesRead !== length) throw new StoreError('incomplete', `${key}: ${bytesRead} of ${length} bytes`)
    return bytes.buffer
  } finally {
    await file.close()
  }
}

/** Also removes temporary files that a killed process left behind. */
async function listFiles(root: string, prefix: string): Promise<ObjectInfo[]> {
  const base = join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1))
  const entries = await readdir(base, { recursive: true, withFileTypes: true }).catch(whenAbsent)
  const found: ObjectInfo[] = []
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const key = relative(root, path).split(sep).join('/')
    if (!key.startsWith(prefix)) continue
    const info = await stat(path).catch(whenAbsent)
    if (info === undefined) continue
    if (!entry.name.endsWith(TEMPORARY)) found.push({ key, size: info.size, modified: info.mtime })
    else if (Date.now() - info.mtimeMs > TEMPORARY_AGE_MAX_MS) await rm(path, { force: true })
  }
  return found
}

function whenAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
