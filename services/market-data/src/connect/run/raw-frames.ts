import { createWriteStream } from 'node:fs'
import { mkdir, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib'
import type { Logger } from '@tapeline/service/logger'

/** Stores the frames of a venue unchanged: one line `<receive time in ns> <kind> <text>` each. */
export type RawFrames = {
  /** `kind`: frame, open, close, or `snapshot:<symbol of the venue>`. */
  write: (tsRecv: string, kind: string, text: string) => void
  stop: () => Promise<void>
}

export const NO_RAW_FRAMES: RawFrames = { write: () => undefined, stop: async () => undefined }

/** Write interval: a killed process loses at most the frames of this period. */
const FLUSH_MS = 1_000
const FILE_BYTES_MAX = 256 * 1024 * 1024
/** Unwritten bytes in memory; if the disk is slower, raw frames are dropped, never records. */
const WAITING_BYTES_MAX = 32 * 1024 * 1024
const LINE_BREAKS = /[\r\n]+/g

export type RawOptions = { dir: string; maxBytes: number; logger: Logger }

type Open = { compress: ZstdCompress; bytes: number; written: Promise<void> }

/** Files `<dir>/<start in ms>.zst`, at most `maxBytes` together: the oldest are deleted. */
export function createRawFrames({ dir, maxBytes, logger }: RawOptions): RawFrames {
  let open: Open | undefined
  let isBroken = false

  function fail(err: unknown): void {
    if (!isBroken) logger.warn({ err, dir }, 'raw frames: the file cannot be written; frames are no longer stored')
    isBroken = true
  }

  function begin(): Open {
    const compress = createZstdCompress()
    const file = join(dir, `${Date.now()}.zst`)
    const written = mkdir(dir, { recursive: true })
      .then(() => pipeline(compress, createWriteStream(file, { flags: 'wx' })))
      .then(() => deleteOldest(dir, maxBytes))
      .catch(fail)
    return { compress, bytes: 0, written }
  }

  const flushing = setInterval(() => open?.compress.flush(constants.ZSTD_e_flush), FLUSH_MS)
  flushing.unref()
  return {
    write(tsRecv, kind, text) {
      if (isBroken) return
      open ??= begin()
      if (open.compress.writableLength > WAITING_BYTES_MAX) return fail(new Error('the disk is too slow'))
      const line = `${tsRecv} ${kind} ${text.replace(LINE_BREAKS, ' ')}\n`
      open.compress.write(line)
      open.bytes += line.length
      if (open.bytes < FILE_BYTES_MAX) return
      open.compress.end()
      open = undefined
    },
    async stop() {
      clearInterval(flushing)
      open?.compress.end()
      await open?.written
    },
  }
}

async function deleteOldest(dir: string, maxBytes: number): Promise<void> {
  const files = (await readdir(dir))
    .filter((name) => name.endsWith('.zst'))
    .toSorted()
    .toReversed()
  let bytes = 0
  for (const name of files) {
    const file = join(dir, name)
    bytes += (await stat(file)).size
    if (bytes > maxBytes) await unlink(file)
  }
}
