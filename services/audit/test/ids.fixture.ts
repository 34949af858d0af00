import { randomUUIDv7 } from 'node:crypto'

/** What every test's service makes ids and cursors with. */
export const idsUnderTest = { newId: (): string => randomUUIDv7(), cursorKey: Buffer.alloc(32, 3) }
