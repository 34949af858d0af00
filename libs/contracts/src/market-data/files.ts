import { type Static, Type } from 'typebox'

export const FILES_PER_PAGE_DEFAULT = 100
export const FILES_PER_PAGE_MAX = 1000

const Channel = Type.Union([Type.Literal('trades'), Type.Literal('l2events')])
/** A day in UTC. */
const DateInput = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Name = Type.String({ minLength: 1, maxLength: 40 })

/** `GET /api/v1/files`: sealed days as Parquet files, oldest first; small days of a month share one. */
export const ListFiles = Type.Object(
  {
    venue: Type.Optional(Name),
    symbol: Type.Optional(Name),
    channel: Type.Optional(Channel),
    /** Both inclusive. */
    from: Type.Optional(DateInput),
    to: Type.Optional(DateInput),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FILES_PER_PAGE_MAX })),
    cursor: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { additionalProperties: false },
)
export type ListFiles = Static<typeof ListFiles>

export const DataFile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  venue: Type.String(),
  symbol: Type.String(),
  channel: Channel,
  /** The first UTC day with rows in the file. */
  date: Type.String(),
  /** All of them: one, or several of a month that share a file. Rows of other days in it were replaced: leave them out. */
  dates: Type.Array(Type.String()),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  /** Starts at 1; incremented each time the day gets another file: with late data, or with other days of its month. */
  revision: Type.Integer(),
  /** `final`: the day no longer changes. `revisable`: late data may lead to another revision. */
  finality: Type.Union([Type.Literal('final'), Type.Literal('revisable')]),
  sealed_at: Type.String(),
})
export type DataFile = Static<typeof DataFile>

export const FileList = Type.Object({
  data: Type.Array(DataFile),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.String(),
})
export type FileList = Static<typeof FileList>
