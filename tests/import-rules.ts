import { findCycles } from './checks/find-cycles.ts'
import { findForbiddenImports } from './checks/find-forbidden-imports.ts'
import { findMisplacedCode } from './checks/find-misplaced-code.ts'

/** Checks imports between parts; .dependency-cruiser.cjs lists the rules with their reasons. */
const { filesRead, forbidden } = findForbiddenImports(process.cwd())
const all = [...forbidden, ...findMisplacedCode(process.cwd()), ...findCycles(process.cwd())]
for (const { rule, from, to } of all) console.error(`${rule}: ${from} -> ${to}`)
if (filesRead === 0) console.error('0 files were read, so nothing was checked: is @swc/core installed?')
if (all.length > 0 || filesRead === 0) process.exitCode = 1
console.log(`${filesRead} files with imports read, ${all.length} forbidden`)
