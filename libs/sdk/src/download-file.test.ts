import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { problem, type ReceivedRequest, startFaultyServer } from '../test/faulty-server.fixture.ts'
import { Tapeline } from './tapeline.ts'
import { downloadFile } from './download-file.ts'

const bytes = randomBytes(100_000)
const file = { id: 'f1', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
const dir = mkdtempSync(join(tmpdir(), 'tapeline-download-'))
const path = join(dir, 'trades.parquet')
afterEach(() => {
  for (const each of [path, `${path}.part`]) rmSync(each, { force: true })
})

let cut = () => {}

/** Serves the requested range of `content`, at most `max` bytes, and the connection stays open until `cut()`. */
function serve(content: Buffer, max = Infinity) {
  return (reply: ServerResponse, { headers }: ReceivedRequest) => {
    const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
    reply.writeHead(from === 0 ? 200 : 206, { 'content-length': String(content.length - from) })
    const to = Math.min(content.length, from + max)
    if (to === content.length) reply.end(content.subarray(from))
    else reply.write(content.subarray(from, to))
    cut = () => reply.destroy()
    if (max === 0) {
      reply.flushHeaders()
      setTimeout(cut, 20)
    }
  }
}

const clientOf = (baseUrl: string) => new Tapeline({ apiKey: 'tl_test_1', baseUrl })

test('a download that is cut again and again continues where it stopped', async () => {
  const server = await startFaultyServer(serve(bytes, 30_000))
  const progress: number[] = []
  const onProgress = (stored: number) => {
    progress.push(stored)
    // A cut before the client has read the bytes would lose them, and the next connection would begin where this one did.
    if (stored % 30_000 === 0) cut()
  }
  await downloadFile(clientOf(server.url), file, path, { onProgress })
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(existsSync(`${path}.part`)).toBe(false)
  expect(server.requests.map(({ headers }) => headers.range)).toEqual([
    undefined,
    ...[30, 60, 90].map((k) => `bytes=${k}000-`),
  ])
  expect(progress.at(-1)).toBe(bytes.length)
})

test('a part of an earlier process is continued; a server without ranges starts over', async () => {
  writeFileSync(`${path}.part`, bytes.subarray(0, 60_000))
  const server = await startFaultyServer(serve(bytes))
  await downloadFile(clientOf(server.url), file, path)
  expect(server.requests[0]?.headers.range).toBe('bytes=60000-')
  expect(readFileSync(path).equals(bytes)).toBe(true)

  rmSync(path)
  writeFileSync(`${path}.part`, 'x'.repeat(10))
  const whole = await startFaultyServer((reply) => reply.end(bytes))
  await downloadFile(clientOf(whole.url), file, path)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test.each([60_000, 100_000, 120_000])('a part of another file, with %i bytes, is replaced', async (length) => {
  writeFileSync(`${path}.part`, Buffer.alloc(length))
  const server = await startFaultyServer(serve(bytes))
  await downloadFile(clientOf(server.url), file, path)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('bytes with another SHA-256 never get the name of the file', async () => {
  const altered = Buffer.from(bytes)
  altered.writeUInt8(altered.readUInt8(5) ^ 1, 5)
  const server = await startFaultyServer(serve(altered))
  await expect(downloadFile(clientOf(server.url), file, path)).rejects.toMatchObject({ code: 'client.damaged' })
  expect(existsSync(path) || existsSync(`${path}.part`)).toBe(false)
})

test('a rejected file fails with its problem; connections without data end the download', async () => {
  const server = await startFaultyServer(problem(404, 'file.not_found'))
  await expect(downloadFile(clientOf(server.url), file, path)).rejects.toMatchObject({ code: 'file.not_found' })
  const empty = await startFaultyServer(serve(bytes, 0))
  const failed = downloadFile(clientOf(empty.url), file, path, { cutsMax: 1 })
  await expect(failed).rejects.toMatchObject({ kind: 'network' })
})

test('an exception of onProgress ends the download and reaches its caller', async () => {
  const thrown = new Error('stop')
  const server = await startFaultyServer(serve(bytes))
  const onProgress = () => {
    throw thrown
  }
  await expect(downloadFile(clientOf(server.url), file, path, { onProgress })).rejects.toBe(thrown)
  expect(server.requests).toHaveLength(1)
})

test.skipIf(!existsSync('/dev/full'))('a full disk ends the download with its error', async () => {
  symlinkSync('/dev/full', `${path}.part`)
  const server = await startFaultyServer(serve(bytes))
  await expect(downloadFile(clientOf(server.url), file, path)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(server.requests).toHaveLength(1)
})

test('a connection without data is replaced after silenceMs', async () => {
  const server = await startFaultyServer(serve(bytes, 30_000), serve(bytes))
  await downloadFile(clientOf(server.url), file, path, { silenceMs: 2_000, signal: AbortSignal.timeout(60_000) })
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(server.requests).toHaveLength(2)
})
