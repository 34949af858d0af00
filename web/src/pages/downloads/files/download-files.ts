import { t } from '@lingui/core/macro'
import type { DataFile } from '@tapeline/contracts/market-data/files'
import { saveFile } from '../../../ui/save-file.ts'
import { fetchFile } from '../downloads.queries.ts'

/** Hashing needs the whole file in memory at once. */
const VERIFIED_BYTES_MAX = 256 * 1024 * 1024

/** Fetches a file, compares it with its SHA-256 and hands it to the browser. Throws when the sum differs. */
export async function downloadFile({ id, name, sha256, bytes }: DataFile): Promise<void> {
  const file = await fetchFile(id)
  if (bytes <= VERIFIED_BYTES_MAX && 'subtle' in crypto && (await sha256Of(file)) !== sha256) {
    throw new Error(t`${name} does not match its SHA-256 and was not saved. Please try again.`)
  }
  saveFile(name, file)
}

async function sha256Of(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
