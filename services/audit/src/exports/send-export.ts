import { Readable } from 'node:stream'
import type { UserActor } from '@tapeline/contracts/actor'
import type { FastifyReply } from 'fastify'
import { OpenSlots } from '../open-slots.ts'
import type { ExportFile } from './write-rows.ts'

const slots = { perAccount: 2, total: 20, code: 'export.too_many', what: 'exports' } as const

export type SendExport = (
  reply: FastifyReply,
  actor: UserActor,
  make: () => Promise<ExportFile> | ExportFile,
) => unknown

/** Streams a file at the client's pace with one page in memory; a client disconnect stops the reading. */
export function createExportSender(): SendExport {
  const open = new OpenSlots(slots)
  return async (reply, { userId }, make) => {
    const free = open.take(userId)
    try {
      const { name, contentType, body } = await make()
      const stream = Readable.from(body, { highWaterMark: 1 })
      stream.once('close', free)
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .type(contentType)
        .send(stream)
    } catch (error) {
      free()
      throw error
    }
  }
}
