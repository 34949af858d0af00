import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listFiles } from './source-files.ts'

export type DeadPath = { document: string; line: number; path: string }

/** Prefixes that mark a path in backticks as a file of this repository. */
const TOP_LEVEL = /^(\.ci|deploy|docs|gateway|k8s|libs|load-tests|services|tests|web)\//
/** A file named without its folder: a file of that name must exist somewhere. */
const SOME_FILE = /^([\w.-]+\/)*[\w.-]+\.(md|json|ts|tsx|cjs|lua|ya?ml)$/
const PLACEHOLDER = /[<>*…{}$\s]|\bNNNN\b|\.\.\./
const LINK = /\]\(([^)\s]+)\)/g
const BACKTICKS = /`([^`\n]+)`/g

/** Files created at the first start are not in the repository. */
const MADE_LATER = /^\.tapeline\//

/** Checks that relative links and paths in backticks in every document exist. */
export function findDeadPaths(rootDir: string): DeadPath[] {
  const files = listFiles(rootDir)
  const isThere = (path: string): boolean => existsSync(join(rootDir, path))
  const isSomewhere = (path: string): boolean => files.some((file) => file === path || file.endsWith(`/${path}`))
  return files
    .filter((path) => path.endsWith('.md'))
    .flatMap((document) =>
      withoutCodeBlocks(readFileSync(join(rootDir, document), 'utf8')).flatMap((text, index) => {
        const links = linksIn(text, dirname(document)).filter(({ resolved }) => !isThere(resolved))
        const named = namesIn(text).filter((path) => !(TOP_LEVEL.test(path) ? isThere(path) : isSomewhere(path)))
        return [...links.map(({ target }) => target), ...named].map((path) => ({ document, line: index + 1, path }))
      }),
    )
}

function linksIn(text: string, here: string): { target: string; resolved: string }[] {
  return [...text.matchAll(LINK)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => ({ target, resolved: normalize(join(here, target)) }))
}

function namesIn(text: string): string[] {
  return [...text.matchAll(BACKTICKS)]
    .map(([, code = '']) => code.replace(/:\d+$/, '').replace(/^\.\//, ''))
    .filter(
      (code) => !PLACEHOLDER.test(code) && !MADE_LATER.test(code) && (TOP_LEVEL.test(code) || SOME_FILE.test(code)),
    )
}

function withoutCodeBlocks(text: string): string[] {
  let inside = false
  return text.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) inside = !inside
    return inside || isFence ? '' : line
  })
}
