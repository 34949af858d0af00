import { paths } from '../paths.ts'
import { headingSlug } from '../public/docs/heading-slug.ts'
import { referenceGroups, referencePath } from '../public/reference/reference-path.ts'
import { make } from './parts/dom.ts'
import { wordsOf } from './parts/words.ts'

const texts = import.meta.glob<string>('../../docs/text/*.md', { query: '?raw', import: 'default' })
const RESULTS_MAX = 8
const WAIT_MS = 120

type Entry = { title: string; where: string; href: string; text: string }

const PAGES: Record<string, string> = {
  quickstart: paths.docs,
  authentication: paths.docsAuthentication,
  limits: paths.docsLimits,
  errors: paths.docsErrors,
  pagination: paths.docsPagination,
  'market-data': paths.docsMarketData,
  streaming: paths.docsStreaming,
  'self-hosting': paths.docsSelfHosting,
  sdk: paths.sdk,
  api: paths.api,
  help: paths.help,
}

/** Searches all texts of the language, which are fetched when the field gets the focus. */
export function start(root: HTMLElement): void {
  const field = root.querySelector('input')
  const results = root.querySelector<HTMLElement>('.results')
  if (field === null || results === null) return
  const words = wordsOf(root)
  let loading: Promise<Entry[]> | undefined
  let timer = 0
  // Without texts nothing is shown; the next letter loads them again.
  const load = (): Promise<Entry[] | undefined> =>
    (loading ??= loadEntries(root.dataset['language'] ?? 'en')).catch(() => (loading = undefined))
  const search = async (): Promise<void> => {
    const entries = await load()
    if (entries !== undefined) show(results, find(entries, field.value), words('none'))
  }
  field.addEventListener('focus', () => void load())
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => void search(), WAIT_MS)
  })
  // Text typed before this script was loaded.
  if (field.value !== '') void search()
  root.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    field.value = ''
    results.hidden = true
    field.focus()
  })
}

function show(results: HTMLElement, found: Entry[] | undefined, none: string): void {
  results.hidden = found === undefined
  if (found === undefined) return
  const items = found.map(({ href, title, where }) =>
    make('li', {}, make('a', { href }, title, make('span', { class: 'size-12 faint' }, where))),
  )
  results.replaceChildren(items.length === 0 ? make('p', { class: 'small muted' }, none) : make('ul', {}, ...items))
}

/** All words must match; matches in the title are first. */
function find(entries: Entry[], query: string): Entry[] | undefined {
  const terms = plain(query).split(/\s+/).filter(Boolean)
  if (terms.length === 0) return undefined
  return entries
    .flatMap((entry) => {
      const title = plain(entry.title)
      if (!terms.every((word) => title.includes(word) || entry.text.includes(word))) return []
      return [{ entry, rank: terms.filter((word) => title.includes(word)).length }]
    })
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, RESULTS_MAX)
    .map(({ entry }) => entry)
}

async function loadEntries(language: string): Promise<Entry[]> {
  const read = async (name: string): Promise<string> =>
    (await texts[`../../docs/text/${name}.${language}.md`]?.()) ?? ''
  const english = async (name: string): Promise<string> => (await texts[`../../docs/text/${name}.en.md`]?.()) ?? ''
  const pages = await Promise.all(
    Object.entries(PAGES).map(async ([name, path]) => entriesOf(await read(name), await english(name), path)),
  )
  const codes = sectionsOf(await read('codes')).map(({ heading, text }) => ({
    title: heading,
    where: text.split('\n').find((line) => line !== '') ?? '',
    href: `${paths.docsErrors}/${heading}`,
    text: plain(text),
  }))
  return [...pages.flat(), ...operationsIn(await read('operations')), ...codes]
}

function entriesOf(text: string, english: string, path: string): Entry[] {
  const where = /^title: (.+)$/m.exec(text)?.[1] ?? ''
  const ids = sectionsOf(english).map(({ heading }) => headingSlug(heading))
  return [
    { title: where, where: '', href: path, text: plain(text.split('\n## ')[0] ?? '') },
    ...sectionsOf(text).map(({ heading, text: section }, index) => ({
      title: heading,
      where,
      href: `${path}#${ids[index] ?? ''}`,
      text: plain(section),
    })),
  ]
}

const GROUPS: ReadonlySet<string> = new Set([...referenceGroups.api, ...referenceGroups.admin])

/** The row of a group precedes the rows of its calls. */
function operationsIn(text: string): Entry[] {
  let group = ''
  const rows = [...text.matchAll(/^\| ([a-z0-9-]+) \| ([^|]+) \| ([^|]*) \|$/gm)]
  return rows.flatMap(([, id = '', title = '', description = '']): Entry[] => {
    if (GROUPS.has(id)) group = id
    if (group === '') return []
    const href = referencePath(group, id === group ? undefined : id)
    return [{ title: title.trim(), where: id, href, text: plain(`${id} ${description}`) }]
  })
}

function sectionsOf(text: string): { heading: string; text: string }[] {
  return text
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [heading = '', ...rest] = section.split('\n')
      return { heading, text: rest.join('\n') }
    })
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
