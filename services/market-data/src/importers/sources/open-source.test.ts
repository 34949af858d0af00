import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeZip } from '../../../test/make-zip.fixture.ts'
import { openSource } from './open-source.ts'
import { readHead } from './read-head.ts'
import { readLines } from './read-lines.ts'

const CONTENT = '1,2,3\n'.repeat(5_000)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-source-'))
})
afterAll(async () => rm(folder, { recursive: true }))

async function file(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function contentOf(path: string): Promise<string> {
  const lines = (await Array.fromAsync(readLines(await openSource(path)))).flat()
  return lines.map((line) => `${line}\n`).join('')
}

test('plain, gzip, zstd and zip result in the same lines, regardless of the file name', async () => {
  const packed = [
    Buffer.from(CONTENT),
    gzipSync(CONTENT),
    zstdCompressSync(CONTENT),
    await makeZip({ 'a.csv': CONTENT }),
  ]
  for (const [index, bytes] of packed.entries()) {
    expect(await contentOf(await file(`packed-${index}`, bytes)), String(index)).toBe(CONTENT)
  }
})

test('a file of several gzip members or zstd frames is read to its end', async () => {
  for (const pack of [gzipSync, zstdCompressSync]) {
    const path = await file(`parts-${pack.name}`, Buffer.concat([pack(CONTENT), pack('last\n')]))
    expect(await contentOf(path), pack.name).toBe(`${CONTENT}last\n`)
  }
})

test('the name is that of the content', async () => {
  const names = [await file('b.csv.gz', gzipSync('x')), await file('c.zip', await makeZip({ 'days/d.csv': 'x' }))]
  expect((await Promise.all(names.map(openSource))).map(({ name }) => name)).toEqual(['b.csv', 'd.csv'])
})

test('a changed byte in an archive is found by its checksum', async () => {
  const archive = await makeZip({ 'a.csv': CONTENT })
  const directory = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  // The CRC-32 of the entry, in the directory.
  archive.writeUInt32LE(1, directory + 16)
  await expect(contentOf(await file('damaged.zip', archive))).rejects.toThrow('a.csv is damaged')
})

test('an archive must contain exactly one file and be complete', async () => {
  const two = await file('two.zip', await makeZip({ 'a.csv': 'x', 'b.csv': 'y' }))
  await expect(openSource(two)).rejects.toThrow('must contain exactly one file, not 2')
  const cut = await file('cut.zip', (await makeZip({ 'a.csv': CONTENT })).subarray(0, 60))
  await expect(openSource(cut)).rejects.toThrow('is not a zip archive that can be read')
})

test('line ends of Windows and a last line without one are read', async () => {
  expect(await contentOf(await file('windows', Buffer.from('a\r\nb\r\nc')))).toBe('a\nb\nc\n')
})

test('a byte order mark is not part of the first line', async () => {
  const path = await file('marked.csv', Buffer.from('\uFEFFtime,price\r\n1,2\r\n'))
  expect((await readHead(await openSource(path))).lines).toEqual(['time,price', '1,2'])
  expect(await contentOf(path)).toBe('time,price\n1,2\n')
})
