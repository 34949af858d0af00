import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listFiles } from './source-files.ts'

export type DeadPath = { document: string; line: number; path: string }

/** What a path in backticks begins with when it means a file of this repository. */
const TOP_LEVEL = /^(\.ci|deploy|docs|gateway|k8s|libs|load-tests|services|tests|web)\//
const ROOT_FILE = /^[\w.-]+\.(md|json|ts|cjs|yml|yaml)$/
const PLACEHOLDER = /[<>*…{}$\s]|\bNNNN\b|\.\.\./
const LINK = /\]\(([^)\s]+)\)/g
const BACKTICKS = /`([^`\n]+)`/g

/** Relative links, and paths in backticks, of every document: what they name must be there. */
export function findDeadPaths(rootDir: string): DeadPath[] {
  const documents = listFiles(rootDir).filter((path) => path.endsWith('.md'))
  return documents.flatMap((document) =>
    withoutCodeBlocks(readFileSync(join(rootDir, document), 'utf8')).flatMap((text, index) =>
      deadIn(text, rootDir, document).map((path) => ({ document, line: index + 1, path })),
    ),
  )
}

function deadIn(text: string, rootDir: string, document: string): string[] {
  const here = dirname(document)
  const isThere = (path: string): boolean => existsSync(join(rootDir, path))
  const links = [...text.matchAll(LINK)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .filter((target) => !isThere(normalize(join(here, target))))
  const named = [...text.matchAll(BACKTICKS)]
    .map(([, code = '']) => code.replace(/:\d+$/, '').replace(/^\.\//, ''))
    .filter((code) => !PLACEHOLDER.test(code) && mayBePath(code))
    .filter((code) => !isThere(code) && !isThere(join(here, code)))
  return [...links, ...named]
}

/** `src/…` and `golden/…` are read from the folder of the document. */
function mayBePath(code: string): boolean {
  return TOP_LEVEL.test(code) || /^(src|golden)\//.test(code) || ROOT_FILE.test(code)
}

function withoutCodeBlocks(text: string): string[] {
  let inside = false
  return text.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) inside = !inside
    return inside || isFence ? '' : line
  })
}
