import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { extractTar, tarEnd, tarFolder, tarText } from './tar.ts'

const root = mkdtempSync(join(tmpdir(), 'tapeline-tar-'))
afterAll(() => rmSync(root, { recursive: true }))

const NONE = { entries: new Set<string>(), contents: new Set<string>() }

async function bytesOf(...streams: (AsyncIterable<Uint8Array> | Iterable<Uint8Array>)[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (const stream of streams) for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** In pieces that match no block. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

test('files of every length and empty folders are restored', async () => {
  const from = join(root, 'from')
  const sizes = [0, 1, 511, 512, 513, 2_500_000]
  mkdirSync(join(from, 'some', 'empty'), { recursive: true })
  for (const size of sizes) writeFileSync(join(from, 'some', `${size}_fsm.1`), Buffer.alloc(size, `${size},`))
  const into = join(root, 'into')
  const archive = await bytesOf(tarFolder(from, 'data', NONE), tarText('label', 'text\n'), tarEnd())
  await extractTar(inPieces(archive), into)
  for (const size of sizes) {
    const read = readFileSync(join(into, 'data', 'some', `${size}_fsm.1`))
    expect(read.equals(Buffer.alloc(size, `${size},`)), `${size}`).toBe(true)
  }
  expect(readdirSync(join(into, 'data', 'some', 'empty'))).toEqual([])
  expect(readFileSync(join(into, 'label'), 'utf8')).toBe('text\n')
})

test('excluded entries are absent, and excluded contents leave an empty folder', async () => {
  const from = join(root, 'excluding')
  mkdirSync(join(from, 'pg_wal', 'archive_status'), { recursive: true })
  for (const name of ['postmaster.pid', 'PG_VERSION', 'pg_wal/segment']) writeFileSync(join(from, name), name)
  const excluded = { entries: new Set(['postmaster.pid']), contents: new Set(['pg_wal']) }
  const into = join(root, 'excluded')
  await extractTar(inPieces(await bytesOf(tarFolder(from, 'data', excluded), tarEnd())), into)
  const found = readdirSync(into, { recursive: true }).map(String)
  expect(new Set(found)).toEqual(new Set(['data', 'data/PG_VERSION', 'data/pg_wal']))
})

test('an archive that ends early, names another place, or is damaged is refused', async () => {
  const archive = await bytesOf(tarText('some/name', 'text'), tarEnd())
  const extract = (bytes: Buffer) => extractTar(inPieces(bytes), join(root, 'refused'))
  await expect(extract(archive.subarray(0, 600))).rejects.toThrow('ends early')
  await expect(extract(Buffer.from(archive).fill('.', 0, 2))).rejects.toThrow('no backup writes')
  await expect(extract(Buffer.from(archive).fill('2', 156, 157))).rejects.toThrow('no backup writes')
  await expect(bytesOf(tarText('../outside', ''))).rejects.toThrow('cannot be backed up')
})

test('a link is refused: it would be a tablespace', async () => {
  const from = join(root, 'linked')
  mkdirSync(from)
  symlinkSync(root, join(from, '16385'))
  await expect(bytesOf(tarFolder(from, 'data', NONE))).rejects.toThrow('tablespaces are not backed up')
})
