import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findKeys } from './find-keys.ts'

// npm run scan-keys -- <file or folder>…: API keys in files, by prefix and line. Exit code 1 when there are any, 2 when a
// path cannot be read.
const USAGE = 'Usage: npm run scan-keys -- <file or folder>…\n'
const BYTES_MAX = 64 * 1024 * 1024
const SKIPPED = new Set(['.git', 'node_modules'])

const paths = process.argv.slice(2)
const isHelp = paths.includes('--help') || paths.includes('-h')
let [found, unread] = [0, 0]
if (isHelp) process.stdout.write(USAGE)
else if (paths.length === 0) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  for (const path of paths) scan(path)
  process.stderr.write(`${found === 0 ? 'No' : found} API ${found === 1 ? 'key' : 'keys'} found.\n`)
  if (unread > 0) process.stderr.write(`${unread} ${unread === 1 ? 'path was' : 'paths were'} not scanned.\n`)
  process.exitCode = unread > 0 ? 2 : found > 0 ? 1 : 0
}

function scan(path: string): void {
  try {
    const facts = statSync(path)
    if (facts.isDirectory()) for (const entry of readdirSync(path, { withFileTypes: true })) scanEntry(path, entry)
    else if (facts.isFile() && facts.size > BYTES_MAX) report(path, `larger than ${BYTES_MAX} bytes: not scanned`)
    else if (facts.isFile()) scanFile(path)
  } catch (error) {
    report(path, error instanceof Error ? error.message : String(error))
  }
}

/** Links are not followed; their targets are scanned at their own path. */
function scanEntry(folder: string, entry: Dirent): void {
  if (!entry.isSymbolicLink() && !SKIPPED.has(entry.name)) scan(join(folder, entry.name))
}

function scanFile(path: string): void {
  for (const { line, prefix } of findKeys(readFileSync(path, 'latin1'))) {
    found += 1
    process.stdout.write(`${path}:${line}: ${prefix}\n`)
  }
}

function report(path: string, problem: string): void {
  unread += 1
  process.stderr.write(`${path}: ${problem}\n`)
}
