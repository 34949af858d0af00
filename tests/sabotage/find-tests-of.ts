import { dirname } from 'node:path'
import { findImporters } from '../checks/find-importers.ts'

const TEST = /\.test\.tsx?$/

/**
 * The tests that can notice a fault in `file`, nearest first: those of its folder, then those that import it, directly or
 * through other files.
 * @param sources text by path of all code of the repository
 */
export function findTestsOf(file: string, sources: ReadonlyMap<string, string>): string[] {
  const importers = findImporters(sources)
  const inFolder = [...sources.keys()].filter((each) => TEST.test(each) && dirname(each) === dirname(file))
  const seen = new Set([file])
  for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer)
  return [...new Set([...inFolder, ...[...seen].filter((each) => TEST.test(each))])]
}
