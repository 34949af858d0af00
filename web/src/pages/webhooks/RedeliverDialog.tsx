import { plural, t } from '@lingui/core/macro'
import type { RedeliveredWebhooks, Webhook } from '@tapeline/contracts/audit/webhooks'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { redeliverRange } from './webhooks.queries.ts'

const DAY_MS = 86_400_000
const MINUTE_CHARACTERS = 'yyyy-mm-ddThh:mm'.length
type State = 'failed' | 'delivered'

/** Sends the deliveries of a range again: failed ones, or also accepted ones. */
export function RedeliverDialog({ endpoint, onClose }: { endpoint: Webhook; onClose: () => void }) {
  const [now] = useState(() => Date.now())
  const [range, setRange] = useState({ from: minuteOf(now - DAY_MS), to: minuteOf(now + 60_000) })
  const [state, setState] = useState<State>('failed')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function send(): Promise<void> {
    if (range.from === '' || range.to === '' || range.from >= range.to) {
      setProblem(t`Choose a start before the end.`)
      return
    }
    setBusy(true)
    try {
      const queued = await redeliverRange(endpoint.id, { from: `${range.from}:00Z`, to: `${range.to}:00Z`, state })
      onClose()
      announce(queued)
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <Dialog
      title={t`Redeliver to ${endpoint.name}`}
      lead={t`Events keep their webhook-id and sequence number, so your server can recognize events that it already has.`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" isBusy={isBusy} onClick={() => void send()}>
            {t`Redeliver`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <div className="stack wide">
        <Segmented
          label={t`Which deliveries`}
          options={[
            { value: 'failed', label: t`Failed` },
            { value: 'delivered', label: t`Delivered` },
          ]}
          value={state}
          onChoose={setState}
        />
        <Moment label={t`Created from, UTC`} value={range.from} onChange={(from) => setRange({ ...range, from })} />
        <Moment label={t`until, UTC`} value={range.to} onChange={(to) => setRange({ ...range, to })} />
        <div className="slot" role="alert">
          {problem !== undefined && <FieldError>{problem}</FieldError>}
        </div>
      </div>
    </Dialog>
  )
}

type MomentProps = { label: string; value: string; onChange: (value: string) => void }

function Moment({ label, value, onChange }: MomentProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="datetime-local"
          className="mono"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A time in the format of a date-time field, in UTC. */
function minuteOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, MINUTE_CHARACTERS)
}

function announce({ redelivered: count, has_more: hasMore }: RedeliveredWebhooks): void {
  const title = plural(count, { one: '# delivery is being resent', other: '# deliveries are being resent' })
  if (hasMore)
    showToast({
      type: 'info',
      title,
      message: t`The period has more deliveries than can be resent at once. Choose a shorter period for the rest.`,
    })
  else if (count > 0) showToast({ type: 'success', title })
  else showToast({ type: 'info', title: t`No deliveries in this period` })
}
