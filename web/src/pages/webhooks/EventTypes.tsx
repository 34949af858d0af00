import type { WebhookEventType } from '@tapeline/contracts/audit/webhooks'
import { i18n } from '../../language/i18n.ts'
import { FieldError } from '../../ui/Field.tsx'
import { Checkboxes } from '../forms/fields.tsx'
import { EVENT_GROUPS, EVENT_TYPES } from './event-types.ts'

type EventTypesProps = {
  chosen: readonly WebhookEventType[]
  error?: string | undefined
  onChange: (chosen: WebhookEventType[]) => void
}

/** The event types that an endpoint receives, by what they are about. */
export function EventTypes({ chosen, error, onChange }: EventTypesProps) {
  return (
    <div className="event-types">
      {EVENT_GROUPS.map(({ label, types }) => (
        <Checkboxes
          key={types[0]}
          legend={i18n._(label)}
          name="event_types"
          options={types.map((type) => ({ value: type, label: <code>{type}</code> }))}
          chosen={chosen}
          onChange={(inGroup) =>
            onChange(EVENT_TYPES.filter((type) => (types.includes(type) ? inGroup : chosen).includes(type)))
          }
        />
      ))}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  )
}
