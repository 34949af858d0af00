import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import type { SharedPlatform } from './kept-platform.ts'
import { startSharedPlatform } from './start-shared-platform.ts'

// A persistent platform for repeated runs of browser tests: node tests/platform/keep.ts [file], then
// TEST_PLATFORM_FILE=<file> npx vitest run --project platform-deep web/e2e/plan.e2e.ts

const WEB_PORTS = 16
const file = resolve(process.argv[2] ?? '.tapeline/test-platform.json')
rmSync(file, { force: true })
const webPorts = await Promise.all(Array.from({ length: WEB_PORTS }, takeFreePort))
const { platform, running } = await startSharedPlatform(
  webPorts.flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]),
)
const sharedPlatform: SharedPlatform = { running, webPorts }
// Contains secrets of a temporary platform; renamed into place once the platform is usable.
writeFileSync(`${file}.part`, JSON.stringify(sharedPlatform), { mode: 0o600 })
renameSync(`${file}.part`, file)
console.log(`The platform is ready: TEST_PLATFORM_FILE=${file}. Ctrl-C stops it.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    rmSync(file, { force: true })
    void platform.stop().then(() => process.exit(0))
  })
}
