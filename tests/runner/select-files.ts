import { existsSync, statSync } from 'node:fs'
import { filesOf } from './run-suite.ts'
import type { SuiteStep } from './steps.ts'

/**
 * The suites with a file that one of `names` selects, each limited to those files. A name is a file, a folder, or a part
 * of a path ("revoke-key"). Throws an Error that quotes the first name that selects no test file.
 */
export function selectFiles(suites: SuiteStep[], names: string[]): SuiteStep[] {
  const found = suites.map((step) => ({ step, files: filesOf(step) }))
  for (const name of names) {
    const hasMatch = found.some(({ files }) => files.some((file) => isSelected(file, name)))
    if (!hasMatch) throw new Error(`no test file matches "${name}"`)
  }
  return found.flatMap(({ step, files }) => {
    const only = files.filter((file) => names.some((name) => isSelected(file, name)))
    return only.length === 0 ? [] : [{ ...step, only }]
  })
}

function isSelected(file: string, name: string): boolean {
  const path = name.replace(/^\.\//, '').replace(/\/$/, '')
  if (!existsSync(path)) return file.includes(path)
  return statSync(path).isDirectory() ? file.startsWith(`${path}/`) : file === path
}
