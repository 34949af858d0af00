import { findBrokenInvariants } from './find-broken-invariants.ts'

const broken = findBrokenInvariants(process.cwd())
for (const { file, says } of broken) console.error(`${file} ${says}`)
if (broken.length > 0) process.exitCode = 1
