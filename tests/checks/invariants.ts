import { findBrokenInvariants } from './find-broken-invariants.ts'
import { findCrowding } from './find-crowding.ts'
import { findFragments } from './find-fragments.ts'
import { findLongSubjects } from './find-long-subjects.ts'
import { findMissingDocstrings } from './find-missing-docstrings.ts'
import { findPlainTexts } from './find-plain-texts.ts'
import { findShortClasses } from './find-short-classes.ts'
import { findWording } from './find-wording.ts'

const broken = [
  findBrokenInvariants,
  findCrowding,
  findFragments,
  findLongSubjects,
  findMissingDocstrings,
  findPlainTexts,
  findShortClasses,
  findWording,
].flatMap((find) => find(process.cwd()))
for (const { file, message } of broken) console.error(`${file} ${message}`)
if (broken.length > 0) process.exitCode = 1
