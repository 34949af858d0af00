import { plural, t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Input } from '../../../ui/Input.tsx'
import { FOUND_MAX, findInstruments } from './find-instruments.ts'
import { kindName } from './kind-name.ts'

type Props = {
  instruments: readonly Instrument[]
  chosen: Instrument
  onChoose: (instrument: Instrument) => void
}

/** Typing narrows the list; Enter opens the first match, Tab reaches the others. */
export function InstrumentSearch({ instruments, chosen, onChoose }: Props) {
  const listId = useId()
  const [query, setQuery] = useState('')
  const found = findInstruments(instruments, query)

  function onKeyDown(event: KeyboardEvent): void {
    const [first] = found
    if (event.key === 'Enter' && first !== undefined) onChoose(first)
    if (event.key === 'Escape') setQuery('')
  }

  return (
    <div className="instruments">
      <div className="find">
        <Search className="icon" aria-hidden="true" />
        <Input
          type="search"
          aria-label={t`Find an instrument`}
          aria-controls={listId}
          placeholder={t`Find an instrument`}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul className="list" id={listId} translate="no">
        {found.slice(0, FOUND_MAX).map((instrument) => (
          <li key={instrument.instrument_id}>
            <button type="button" aria-current={instrument === chosen} onClick={() => onChoose(instrument)}>
              <span>
                <b>{instrument.symbol}</b>
                <span className="faint">{instrument.venue}</span>
              </span>
              <span className="faint">{kindName(instrument.kind)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="list-note" role="status">
        {plural(found.length, { one: '# instrument', other: '# instruments' })}
      </p>
    </div>
  )
}
