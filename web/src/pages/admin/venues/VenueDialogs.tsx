import { t } from '@lingui/core/macro'
import type { Venue } from '@tapeline/contracts/market-data/venues'
import { useState } from 'react'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { showDone } from '../show-done.ts'
import { WhyField } from '../WhyField.tsx'
import { readSymbols, saveEffects, venueName } from './venue-words.ts'
import { saveVenue } from './venues.queries.ts'

type DialogProps = { venue: Venue; onClose: () => void }

/** Adds and removes symbols; those of the setting CONNECT are named, because only a restart changes them. */
export function SymbolsDialog({ venue, onClose }: DialogProps) {
  const name = venueName(venue.venue)
  const [text, setText] = useState(venue.symbols.join(', '))
  const [why, setWhy] = useState('')
  const after = { symbols: readSymbols(text), is_paused: venue.is_paused }
  const configured = venue.configured_symbols.join(', ')
  return (
    <ConfirmChange
      title={t`Symbols of ${name}`}
      action={t`Save`}
      failure={t`The symbols could not be saved. Please try again.`}
      effects={saveEffects(venue, after)}
      isChanged={after.symbols.join() !== venue.symbols.join()}
      isDangerous={false}
      onConfirm={async () => {
        await saveVenue(venue.venue, { ...after, version: venue.version, ...reasonOf(why) })
        showDone(t`Symbols of ${name} saved`)
      }}
      onClose={onClose}
    >
      <Field
        label={t`Symbols`}
        hint={
          configured === ''
            ? t`As in the API, separated by commas: BTC-USDT, BTC-USDT-PERP, BTC-USD-20261225.`
            : t`In addition to ${configured} from the setting CONNECT.`
        }
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <WhyField hint={t`Recorded in the audit trail.`} value={why} onType={setWhy} />
    </ConfirmChange>
  )
}

/** Closes the connections of a venue, or opens them again. */
export function PauseVenueDialog({ venue, onClose }: DialogProps) {
  const name = venueName(venue.venue)
  const [why, setWhy] = useState('')
  const after = { symbols: venue.symbols, is_paused: !venue.is_paused }
  return (
    <ConfirmChange
      title={after.is_paused ? t`Pause ${name}` : t`Resume ${name}`}
      action={after.is_paused ? t`Pause` : t`Resume`}
      failure={t`The venue could not be changed. Please try again.`}
      effects={saveEffects(venue, after)}
      isDangerous={after.is_paused}
      onConfirm={async () => {
        await saveVenue(venue.venue, { ...after, version: venue.version, ...reasonOf(why) })
        showDone(after.is_paused ? t`${name} is paused` : t`${name} is resumed`)
      }}
      onClose={onClose}
    >
      <WhyField hint={t`Recorded in the audit trail.`} value={why} onType={setWhy} />
    </ConfirmChange>
  )
}

function reasonOf(why: string): { reason?: string } {
  return why.trim() === '' ? {} : { reason: why.trim() }
}
