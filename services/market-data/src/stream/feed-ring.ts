import { FeedBlock } from './feed-block.ts'
import type { Row } from '../records/record-queries.ts'
import { comparePositions, compareRows, type Position, positionOfRow } from './position.ts'

const ROWS_MAX = 4_000
const CHARACTERS_MAX = 4_000_000

/** The latest blocks of a channel in their order, bounded: a subscription joins here without a query of the store. */
export class FeedRing {
  private blocks: FeedBlock[] = []
  private rows = 0
  private characters = 0
  /** The ring buffer contains everything after this position. */
  from: Position

  constructor(from: Position) {
    this.from = from
  }

  push(block: FeedBlock): void {
    this.blocks.push(block)
    this.rows += block.rows.length
    this.characters += block.characters
    while (this.blocks.length > 1 && (this.rows > ROWS_MAX || this.characters > CHARACTERS_MAX)) this.dropOldest()
  }

  /** Inserts late rows at their positions. */
  insert(rows: readonly Row[]): void {
    const inside = rows.filter((row) => comparePositions(positionOfRow(row), this.from) > 0)
    if (inside.length === 0) return
    const all = [...this.blocks.flatMap((block) => block.rows), ...inside]
    this.blocks = []
    this.rows = 0
    this.characters = 0
    this.push(new FeedBlock(all.toSorted(compareRows)))
  }

  /** Whether the ring buffer contains a row at this place, or everything after it. */
  contains(position: Position): boolean {
    if (comparePositions(this.from, position) === 0) return true
    const block = this.blocks.find(({ last }) => comparePositions(last, position) >= 0)
    return block?.rows.some((row) => comparePositions(positionOfRow(row), position) === 0) ?? false
  }

  private dropOldest(): void {
    const oldest = this.blocks.shift()
    if (oldest === undefined) return
    this.rows -= oldest.rows.length
    this.characters -= oldest.characters
    this.from = oldest.last
  }

  /** The blocks that reach beyond `position`; the first may begin before it. */
  after(position: Position): FeedBlock[] {
    const first = this.blocks.findIndex(({ last }) => comparePositions(last, position) > 0)
    return first === -1 ? [] : this.blocks.slice(first)
  }
}
