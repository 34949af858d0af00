import { findDeadPaths } from './find-dead-paths.ts'

const dead = findDeadPaths(process.cwd())
for (const { document, line, path } of dead) console.error(`${document}:${line} names ${path}, which does not exist`)
if (dead.length > 0) process.exitCode = 1
