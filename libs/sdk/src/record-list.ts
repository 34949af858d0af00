import { pause } from './timers.ts'
import type { CallOptions, Transport } from './transport.ts'

export type Page<Record> = {
  data: Record[]
  /** Position after the last record; null if the list is complete. */
  next_cursor: string | null
  has_more: boolean
}

export type ListOptions = CallOptions & {
  /** With ascending order and no end: waits for new records instead of ending. Default false. */
  follow?: boolean
  /** Pause between two pages while nothing is new, in milliseconds. Default 1,000. */
  pollMs?: number
}

const POLL_MS = 1_000

/**
 * Records over all pages. Nothing is sent before the first iteration; each iteration starts from the beginning.
 *
 *     for await (const trade of tapeline.trades.list({ symbols: ['BTC-USDT'] })) …
 *     for await (const page of tapeline.trades.list({ … }).pages()) …
 */
export class RecordList<Item, Answer extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  /**
   * Continues after the last page whose records were all yielded: a list that is left within a page repeats records of
   * that page and loses none. Before the first page it is the cursor of the filter, or null; null when nothing can follow.
   */
  cursor: string | null
  private readonly load: (cursor: string | null) => Promise<Answer>
  private readonly options: ListOptions
  private readonly start: string | null

  /** @param start the cursor with which `load` begins by itself */
  constructor(
    load: (cursor: string | null) => Promise<Answer>,
    options: ListOptions,
    start: string | null | undefined = null,
  ) {
    this.load = load
    this.options = options
    this.start = start
    this.cursor = start
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data, next_cursor: next } of this.loadPages()) {
      for (const [n, item] of data.entries()) {
        if (n === data.length - 1) this.cursor = next
        yield item
      }
      this.cursor = next
    }
  }

  /** Pages with records, and the first one in any case: its coverage and warnings explain why there are none. */
  async *pages(): AsyncGenerator<Answer, void, undefined> {
    for await (const page of this.loadPages()) {
      this.cursor = page.next_cursor
      yield page
    }
  }

  private async *loadPages(): AsyncGenerator<Answer, void, undefined> {
    const { follow = false, pollMs = POLL_MS, signal } = this.options
    this.cursor = this.start
    let cursor: string | null = null
    for (let isFirst = true; ; isFirst = false) {
      const page: Answer = await this.load(cursor)
      cursor = page.next_cursor
      if (isFirst || hasRecords(page)) yield page
      else this.cursor = cursor
      if (cursor === null || (!page.has_more && !follow)) return
      if (!page.has_more) await pause(pollMs, signal)
    }
  }

  /** All records in one array, at most `max` of them. */
  async toArray(max = Infinity): Promise<Item[]> {
    const found: Item[] = []
    if (max <= 0) return found
    for await (const item of this) {
      found.push(item)
      if (found.length >= max) break
    }
    return found
  }
}

/** True if the page or one after it has records. */
function hasRecords({ data, has_more }: Page<unknown>): boolean {
  return data.length > 0 || has_more
}

/** A list call by POST: the first page sends the filter, the next ones only the cursor, which contains it. */
export function listByPost<Item, Answer extends Page<Item>>(
  transport: Transport,
  call: { path: string; filter: { cursor?: string | null }; options: ListOptions },
): RecordList<Item, Answer> {
  const { path, filter, options } = call
  const load = async (cursor: string | null): Promise<Answer> =>
    transport.json<Answer>({ method: 'POST', path, body: cursor === null ? filter : { cursor } }, options)
  return new RecordList(load, options, filter.cursor)
}
