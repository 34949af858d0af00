import { readFileSync, writeFileSync } from 'node:fs'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { faultOf, MISSING, openArchive } from './archive.ts'
import { archiveSegment, readSegment } from './wal-segments.ts'

// node segment-command.ts archive|fetch <archive> <name> <path>: PostgreSQL runs it and logs what it prints (archive.ts).
const [verb, url = '', name = '', path = ''] = process.argv.slice(2)
try {
  const { store } = openArchive(url, process.env)
  if (verb === 'archive') await archiveSegment(store, name, readFileSync(path))
  else await fetchSegment(store)
} catch (error) {
  const consequence = verb === 'archive' ? 'PostgreSQL keeps it and tries again' : 'the restore ends'
  process.stderr.write(`backup: ${name} ${verb === 'archive' ? 'is not archived' : 'cannot be read'}: `)
  process.stderr.write(`${faultOf(error)}; ${consequence}\n`)
  process.exitCode = 1
}

async function fetchSegment(store: ObjectStore): Promise<void> {
  const content = await readSegment(store, name)
  if (content === undefined) process.exitCode = MISSING
  else writeFileSync(path, content)
}
