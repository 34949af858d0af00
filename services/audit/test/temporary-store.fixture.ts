import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderStore } from '@tapeline/objects/folder-store'
import { createSigner } from '../src/evidence/signatures.ts'

/** An object store in a folder of the test, and a signer. `remove` it in afterAll. */
export async function openTemporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-evidence-'))
  return {
    folder,
    store: folderStore(folder),
    signer: createSigner('a-secret-of-the-test-0123456789abcdef'),
    remove: () => rm(folder, { recursive: true }),
  }
}
