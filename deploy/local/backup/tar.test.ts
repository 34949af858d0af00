import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { packTar, type TarHeader } from 'modern-tar'
import { afterAll, expect, test } from 'vitest'
import { extractTar, packFolder, packText, tarOf } from './tar.ts'

const root = mkdtempSync(join(tmpdir(), 'tapeline-tar-'))
afterAll(() => rmSync(root, { recursive: true }))

const NONE = { entries: new Set<string>(), contents: new Set<string>() }
/** About 10 MiB are packed ahead of the reader. */
const [LARGE_BYTES, SHORTENED_BYTES] = [14_000_000, 12_000_000]

/** Extracts an archive that arrives in pieces that match no block. */
async function extract(bytes: Uint8Array, into: string): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, at) =>
    bytes.subarray(at * 1_000, (at + 1) * 1_000),
  )
  await pipeline(Readable.from(pieces), extractTar(into))
}

test('files of every length and empty folders are restored, by tar as well', async () => {
  const from = join(root, 'from')
  const sizes = [0, 1, 511, 512, 513, 2_500_000]
  mkdirSync(join(from, 'some', 'empty'), { recursive: true })
  for (const size of sizes) writeFileSync(join(from, 'some', `${size}_fsm.1`), Buffer.alloc(size, `${size},`))
  const files = tarOf(async (archive) => {
    await packFolder(archive, from, 'data', NONE)
    await packText(archive, 'label', 'text\n')
  })
  const archive = await buffer(files)
  const [into, intoByTar] = [join(root, 'into'), mkdtempSync(join(root, 'by-tar-'))]
  await extract(archive, into)
  execFileSync('tar', ['--extract', '--directory', intoByTar], { input: archive })
  for (const folder of [into, intoByTar]) {
    for (const size of sizes) {
      const read = readFileSync(join(folder, 'data', 'some', `${size}_fsm.1`))
      expect(read.equals(Buffer.alloc(size, `${size},`)), `${size}`).toBe(true)
    }
    expect(readdirSync(join(folder, 'data', 'some', 'empty'))).toEqual([])
    expect(readFileSync(join(folder, 'label'), 'utf8')).toBe('text\n')
  }
})

test('excluded entries are absent, and excluded contents leave an empty folder', async () => {
  const from = join(root, 'excluding')
  mkdirSync(join(from, 'pg_wal', 'archive_status'), { recursive: true })
  for (const name of ['postmaster.pid', 'PG_VERSION', 'pg_wal/segment']) writeFileSync(join(from, name), name)
  const excluded = { entries: new Set(['postmaster.pid']), contents: new Set(['pg_wal']) }
  const into = join(root, 'excluded')
  await extract(await buffer(tarOf((archive) => packFolder(archive, from, 'data', excluded))), into)
  const found = readdirSync(into, { recursive: true }).map(String)
  expect(new Set(found)).toEqual(new Set(['data', 'data/PG_VERSION', 'data/pg_wal']))
})

test.each([
  ['grows', (path: string) => appendFileSync(path, 'more'), LARGE_BYTES],
  ['shrinks', (path: string) => truncateSync(path, SHORTENED_BYTES), SHORTENED_BYTES],
])(
  'a file that %s while it is read is archived with its initial length; files and folders removed before they are read are left out',
  async (how, change, kept) => {
    const from = join(root, how)
    const content = Buffer.alloc(LARGE_BYTES, 'content')
    for (const name of ['one', 'other']) {
      mkdirSync(join(from, name), { recursive: true })
      writeFileSync(join(from, name, 'large'), content)
      writeFileSync(join(from, name, 'second'), content)
    }
    // The entries of a folder have no order: what has begun is changed, what has not is removed.
    let begun = ''
    const files = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of tarOf((archive) => packFolder(archive, from, 'data', NONE))) {
        const [, folder, file] =
          /^data\/(one|other)\/(large|second)\0/.exec(Buffer.from(chunk).toString('latin1', 0, 100)) ?? []
        if (begun === '' && folder !== undefined && file !== undefined) {
          begun = join(folder, file)
          change(join(from, begun))
          rmSync(join(from, folder, file === 'large' ? 'second' : 'large'))
          rmSync(join(from, folder === 'one' ? 'other' : 'one'), { recursive: true })
        }
        yield chunk
      }
    }
    const into = join(root, `${how} into`)
    await pipeline(files, extractTar(into))
    expect(readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(
      1,
    )
    const read = readFileSync(join(into, 'data', begun))
    expect(read.equals(Buffer.concat([content.subarray(0, kept), Buffer.alloc(LARGE_BYTES - kept)]))).toBe(true)
  },
)

test('a truncated or damaged archive is rejected', async () => {
  const archive = await buffer(tarOf((tar) => packText(tar, 'some/name', 'text')))
  for (const length of [100, 514, 600, 1_024, 1_536]) {
    const truncated = extract(archive.subarray(0, length), join(root, 'refused'))
    await expect(truncated, `${length}`).rejects.toThrow('truncated')
  }
  const damaged = extract(Buffer.from(archive).fill('.', 0, 2), join(root, 'refused'))
  await expect(damaged).rejects.toThrow('Invalid tar header checksum')
})

test.each<[string, Partial<TarHeader>]>([
  ['points outside', { name: '../outside' }],
  ['points outside', { name: 'some/../../outside' }],
  ['contains an unexpected entry', { name: join(root, 'outside') }],
  ['contains an unexpected entry', { type: 'symlink', linkname: root }],
  ['contains an unexpected entry', { type: 'link', linkname: 'some' }],
  ['contains an unexpected entry', { type: 'fifo' }],
])('an archive is rejected: "%s" %j', async (message, header) => {
  const archive = await packTar([{ header: { name: 'name', size: 0, ...header } }])
  await expect(extract(archive, join(root, 'refused'))).rejects.toThrow(message)
  expect(existsSync(join(root, 'outside'))).toBe(false)
})

test('a symbolic link is rejected, because it would be a tablespace', async () => {
  const from = join(root, 'linked')
  mkdirSync(from)
  symlinkSync(root, join(from, '16385'))
  const archive = buffer(tarOf((tar) => packFolder(tar, from, 'data', NONE)))
  await expect(archive).rejects.toThrow('tablespaces are not backed up')
})

test('a missing folder is rejected', async () => {
  const absent = buffer(tarOf((tar) => packFolder(tar, join(root, 'absent'), 'data', NONE)))
  await expect(absent).rejects.toThrow('ENOENT')
})
