import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Paths } from '../src/openapi/openapi-document.ts'

const SERVICES_DIR = join(import.meta.dirname, '..', '..', 'services')
const DOCUMENT_BYTES_MAX = 16_000_000
const DESCRIBE_TIMEOUT_MS = 120_000

/** The paths of every service's OpenAPI document, printed by the service itself as a process. */
export async function describeServices(): Promise<Paths> {
  const documents = await Promise.all(readdirSync(SERVICES_DIR).map(describe))
  return Object.assign({}, ...documents)
}

async function describe(service: string): Promise<Paths> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(SERVICES_DIR, service, 'test', 'print-openapi.ts')],
    { encoding: 'utf8', maxBuffer: DOCUMENT_BYTES_MAX, timeout: DESCRIBE_TIMEOUT_MS },
  )
  const { paths }: { paths: Paths } = JSON.parse(stdout)
  return paths
}
