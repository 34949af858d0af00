import { findBrokenInvariants } from './find-broken-invariants.ts'
import { findCrowding } from './find-crowding.ts'
import { findPlainTexts } from './find-plain-texts.ts'

const broken = [
  ...findBrokenInvariants(process.cwd()),
  ...findCrowding(process.cwd()),
  ...findPlainTexts(process.cwd()),
]
for (const { file, says } of broken) console.error(`${file} ${says}`)
if (broken.length > 0) process.exitCode = 1
