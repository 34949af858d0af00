import type { Row } from '../records/record-queries.ts'
import { type Position, positionOfRow } from './position.ts'

/**
 * Rows `from` (inclusive) to `to` (exclusive) of a list as JSON text, joined by commas, and the place that they reach.
 */
export type Portion = { json: string; from: number; to: number; reached: Position }
/** A message to a client as JSON; `cursor` is the one in it, `records` the number of records of a channel. */
export type Message = {
  type: string
  json: string
  cursor?: string
  records?: number
  /** The JSON in UTF-8, encoded once for all clients that receive the message. */
  bytes?: Buffer
}
export type RenderRow = (row: Row) => string
/** The view of a channel's rows that some subscriptions share. */
export type View = {
  /** Identifies everything that the view depends on except the instrument. */
  key: string
  matches: ((row: Row) => boolean) | undefined
  /** Renders rows that are about to be sent. */
  renderNow: () => RenderRow
}

/** Larger batches are sent as several. */
const PORTION_CHARACTERS_MAX = 64 * 1024

/** Maximum number of cached renderings per block, because blocks stay in a ring buffer. */
const CACHE_MAX = 8

/**
 * Rows that were stored or announced together, in the order of time. Each view of them is rendered once, however many subscriptions
 * have it.
 */
export class FeedBlock {
  readonly rows: readonly Row[]
  readonly first: Position
  readonly last: Position
  readonly characters: number
  private readonly rendered = new Map<string, readonly Portion[]>()
  private readonly messages = new Map<string, Message>()

  /** `rows` must not be empty. */
  constructor(rows: readonly Row[]) {
    this.rows = rows
    this.first = positionOfRow(rows[0] ?? [])
    this.last = positionOfRow(rows.at(-1) ?? [])
    this.characters = rows.reduce((sum, row) => sum + row.reduce((length, text) => length + text.length, 0), 0)
  }

  portions({ key, matches, renderNow }: View): readonly Portion[] {
    const cached = this.rendered.get(key)
    if (cached !== undefined) return cached
    const rows = matches === undefined ? this.rows : this.rows.filter(matches)
    const portions = portionsOf(rows, renderNow())
    addToCache(this.rendered, key, portions)
    return portions
  }

  /** A message that several subscriptions send; `key` identifies everything that it depends on. */
  message(key: string, make: () => Message): Message {
    const cached = this.messages.get(key)
    if (cached !== undefined) return cached
    const message = make()
    addToCache(this.messages, key, message)
    return message
  }

  /** Called when all listeners of the feed have sent their messages. */
  clearMessages(): void {
    this.messages.clear()
  }
}

function addToCache<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= CACHE_MAX) cache.clear()
  cache.set(key, value)
}

export function portionsOf(rows: readonly Row[], render: RenderRow): Portion[] {
  const portions: Portion[] = []
  let texts: string[] = []
  let characters = 0
  for (const [index, row] of rows.entries()) {
    const text = render(row)
    texts.push(text)
    characters += text.length
    const to = index + 1
    if (characters < PORTION_CHARACTERS_MAX && to < rows.length) continue
    portions.push({ json: texts.join(','), from: to - texts.length, to, reached: positionOfRow(row) })
    texts = []
    characters = 0
  }
  return portions
}
