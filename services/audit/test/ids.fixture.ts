import { randomUUIDv7 } from 'node:crypto'
import { createSigner } from '../src/evidence/signatures.ts'

/** Values of the process that most tests do not look at: ids, keys of cursors and signatures, no object store. */
export const testIds = {
  newId: () => randomUUIDv7(),
  cursorKey: Buffer.alloc(32, 3),
  store: undefined,
  signer: createSigner('a-secret-of-the-test-0123456789abcdef'),
}
