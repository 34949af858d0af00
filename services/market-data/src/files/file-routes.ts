import type { Readable } from 'node:stream'
import { FileList, ListFiles } from '@tapeline/contracts/market-data/files'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'

const ACCESS = { role: 'user', key: true, scope: 'files:read' } as const
const PARQUET_TYPE = 'application/vnd.apache.parquet'
const FileParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const Bytes = Type.Unsafe<Readable | null>({ type: 'string', format: 'binary', contentMediaType: PARQUET_TYPE })

/** Not modified. */
const Nothing = Type.Unsafe<Readable | null>({ type: 'null' })

export function addFileRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/files',
    { config: { access: ACCESS }, schema: { querystring: ListFiles, response: { 200: FileList } } },
    async (request, reply) => {
      const list = await listFiles(deps, userOf(request), request.query, request.id)
      return reply.header('x-rows-returned', String(list.data.length)).send(list)
    },
  )

  app.get(
    '/api/v1/files/:id',
    { config: { access: ACCESS }, schema: { params: FileParams, response: { 200: Bytes, 206: Bytes, 304: Nothing } } },
    async (request, reply) => {
      const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
      const conditions = { range, ifRange: textOf(ifRange), ifNoneMatch }
      const answer = await readFile(deps, userOf(request), request.params.id, conditions)
      reply.code(answer.status).headers(answer.headers)
      if (answer.body === null) return reply.send(null)
      return reply.type(PARQUET_TYPE).send(answer.body)
    },
  )
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
