import { plural, t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { Fragment, type KeyboardEvent, startTransition, useEffect, useId, useState } from 'react'
import { Layer } from '../ui/Dialog.tsx'
import type { Command } from './commands.ts'
import { Keys } from './Keys.tsx'
import { type Entry, findEntries, type Result, type ResultGroup } from './results.ts'
import { type PaletteEntry, useEntries } from './use-entries.ts'

type PaletteProps = {
  commands: readonly Command[]
  recent: readonly string[]
  onChoose: (id: string, path: string | undefined) => void
  onClose: () => void
}

/** A combobox with a list that is always open: the focus stays in the field, arrows move in the list. */
export function Palette({ commands, recent, onChoose, onClose }: PaletteProps) {
  const [search, setSearch] = useState('')
  const listId = useId()
  const entries = useEntries(commands)
  const groups = findEntries(entries, search, recent)
  const flat = flatten(groups)
  const { at, move, chooseAt } = useChosen(onChoose)
  const selected = flat[Math.min(at, flat.length - 1)]
  const selectedId = selected === undefined ? undefined : optionId(listId, selected)
  useEffect(() => {
    if (selectedId !== undefined) document.getElementById(selectedId)?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])

  return (
    <Layer className="palette" label={t`Search or jump to`} onClose={onClose}>
      <div className="query">
        <Search className="icon" aria-hidden="true" />
        <QueryField
          listId={listId}
          selectedId={selectedId}
          onQuery={(query) => {
            setSearch(query)
            chooseAt(0)
          }}
          onKeyDown={(event) => {
            if (!LIST_KEYS.has(event.key)) return
            const query = event.currentTarget.value
            if (query === search) return move(event, flat, at)
            // Right after a letter, arrows and Enter refer to what that letter finds.
            setSearch(query)
            move(event, flatten(findEntries(entries, query, recent)), 0)
          }}
        />
        <button type="button" className="kbd" onClick={onClose}>
          esc <span className="sr-only">{t`Close`}</span>
        </button>
      </div>
      <div className="list" id={listId} role="listbox" aria-label={t`Results`}>
        {groups.map((group) => (
          <Group
            key={group.group}
            listId={listId}
            group={group}
            selected={selected}
            onPoint={(entry) => chooseAt(flat.indexOf(entry))}
            onChoose={({ id, path }) => onChoose(id, path)}
          />
        ))}
        {flat.length === 0 && <div className="none">{t`No results.`}</div>}
      </div>
      <PaletteFooter count={flat.length} />
    </Layer>
  )
}

type QueryFieldProps = {
  listId: string
  selectedId: string | undefined
  onQuery: (query: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** A typed letter is shown at once, its results when the browser is idle. */
function QueryField({ listId, selectedId, onQuery, onKeyDown }: QueryFieldProps) {
  const [query, setQuery] = useState('')
  return (
    <input
      role="combobox"
      aria-label={t`Search or jump to`}
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={selectedId}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      placeholder={t`Pages, actions, keys, documentation`}
      value={query}
      onChange={({ currentTarget: { value } }) => {
        setQuery(value)
        startTransition(() => onQuery(value))
      }}
      onKeyDown={onKeyDown}
    />
  )
}

function flatten(groups: readonly ResultGroup<PaletteEntry>[]): PaletteEntry[] {
  return groups.flatMap(({ results }) => results.map(({ entry }) => entry))
}

const LIST_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Enter'])

/** The entry that Enter selects: the last one if the list has become shorter than the selected position. */
function useChosen(onChoose: PaletteProps['onChoose']) {
  const [at, chooseAt] = useState(0)

  function move(event: KeyboardEvent, list: readonly PaletteEntry[], from: number): void {
    const count = list.length
    const selected = Math.min(from, count - 1)
    const steps = {
      ArrowDown: (selected + 1) % count,
      ArrowUp: (selected - 1 + count) % count,
      PageDown: count - 1,
      PageUp: 0,
    }
    const to = Object.entries(steps).find(([key]) => key === event.key)?.[1]
    const chosen = list[selected]
    if (to !== undefined && count > 0) chooseAt(to)
    else if (event.key === 'Enter' && chosen !== undefined) onChoose(chosen.id, chosen.path)
    else return
    event.preventDefault()
  }

  return { at, move, chooseAt }
}

function optionId(listId: string, { id }: Entry): string {
  return `${listId}-${id.replaceAll(/\W/g, '-')}`
}

type GroupProps = {
  listId: string
  group: ResultGroup<PaletteEntry>
  selected: PaletteEntry | undefined
  onPoint: (entry: PaletteEntry) => void
  onChoose: (entry: PaletteEntry) => void
}

function Group({ listId, group: { group, results }, selected, onPoint, onChoose }: GroupProps) {
  const titleId = `${listId}-in-${group}`
  return (
    <div role="group" aria-labelledby={titleId}>
      <div className="group" id={titleId} role="presentation">
        {titleOf(group)}
      </div>
      {results.map((result) => (
        <Option
          key={result.entry.id}
          id={optionId(listId, result.entry)}
          result={result}
          isSelected={result.entry === selected}
          onPoint={() => onPoint(result.entry)}
          onChoose={() => onChoose(result.entry)}
        />
      ))}
    </div>
  )
}

function PaletteFooter({ count }: { count: number }) {
  return (
    <div className="foot">
      <span aria-hidden="true">
        <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> {t`move`} <kbd className="kbd">↵</kbd> {t`open`}
      </span>
      <span className="end" role="status">
        {plural(count, { one: '# result', other: '# results' })}
      </span>
    </div>
  )
}

function titleOf(group: Entry['group']): string {
  switch (group) {
    case 'recent':
      return t`Recent`
    case 'actions':
      return t`Actions`
    case 'pages':
      return t`Pages`
    case 'keys':
      return t`Keys`
    case 'docs':
      return t`Documentation`
  }
}

type OptionProps = {
  id: string
  result: Result<PaletteEntry>
  isSelected: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, result: { entry, marks }, isSelected, onPoint, onChoose }: OptionProps) {
  const { Icon, label, note, keys } = entry
  return (
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={`option ${isSelected ? 'is-selected' : ''}`}
      tabIndex={-1}
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
    >
      <Icon className="icon" aria-hidden="true" />
      <span className="clip">
        <Marked text={label} marks={marks} />
      </span>
      <span className="note small muted">{note}</span>
      {keys !== undefined && <Keys keys={keys} />}
    </div>
  )
}

/** Matched characters are underlined. */
function Marked({ text, marks }: { text: string; marks: readonly [number, number][] }) {
  return (
    <>
      {marks.map(([from, to], at) => (
        <Fragment key={from}>
          {text.slice(marks[at - 1]?.[1] ?? 0, from)}
          <b>{text.slice(from, to)}</b>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
