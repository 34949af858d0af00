import { randomUUIDv7 } from 'node:crypto'

/** Id and cursor dependencies of a service under test. */
export const idsUnderTest = { newId: (): string => randomUUIDv7(), cursorKey: Buffer.alloc(32, 3) }
