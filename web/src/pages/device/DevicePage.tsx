import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { DecideDeviceLogin, DeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import './device.css'
import { decideDeviceLogin, deviceLoginQuery } from './device.queries.ts'

const CODE = /^[A-Z]{4}-[A-Z]{4}$/
const GROUP_LETTERS = 4
const LETTERS_MAX = 8

/** The user approves here the code that `tapeline login` shows in a terminal. */
export function DevicePage() {
  const [search, setSearch] = useSearchParams()
  const code = normalized(search.get('code') ?? '')
  const [decision, setDecision] = useState<DecideDeviceLogin['decision']>()
  return (
    <section className="panel device" aria-labelledby="device-title">
      <h2 id="device-title">{t`Sign in a device`}</h2>
      {decision !== undefined ? (
        <Decided decision={decision} />
      ) : CODE.test(code) ? (
        <Waiting key={code} code={code} onDecided={setDecision} onOther={() => setSearch({})} />
      ) : (
        <CodeForm onCode={(entered) => setSearch({ code: entered })} />
      )}
    </section>
  )
}

/** `bcdf ghjk` → `BCDF-GHJK` */
function normalized(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, LETTERS_MAX)
  return letters.length <= GROUP_LETTERS
    ? letters
    : `${letters.slice(0, GROUP_LETTERS)}-${letters.slice(GROUP_LETTERS)}`
}

function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (CODE.test(code)) onCode(code)
    else setError(t`Enter the eight letters that the device shows`)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field label={t`Code`} error={error} hint={t`The device shows it, such as BCDF-GHJK.`}>
        {(control) => (
          <Input
            {...control}
            name="code"
            className="mono"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            onChange={({ currentTarget }) => setCode(normalized(currentTarget.value))}
          />
        )}
      </Field>
      <div>
        <Button variant="primary" type="submit">{t`Continue`}</Button>
      </div>
    </form>
  )
}

type WaitingProps = { code: string; onDecided: (decision: DecideDeviceLogin['decision']) => void; onOther: () => void }

function Waiting({ code, onDecided, onOther }: WaitingProps) {
  const device = useQuery(deviceLoginQuery(code))
  const decide = useMutation({
    mutationFn: async (decision: DecideDeviceLogin['decision']) => {
      await decideDeviceLogin(code, decision)
      return decision
    },
    onSuccess: onDecided,
  })
  const failure = device.error ?? decide.error
  return (
    <>
      {device.data !== undefined && <DeviceFacts device={device.data} />}
      <div className="slot" role="alert">
        {failure !== null && <FieldError>{failure.message}</FieldError>}
      </div>
      <div className="actions">
        {device.data !== undefined && (
          <>
            <Button
              variant="primary"
              isBusy={decide.isPending && decide.variables === 'approve'}
              isDisabled={decide.isPending}
              onClick={() => decide.mutate('approve')}
            >
              {t`Approve`}
            </Button>
            <Button
              isBusy={decide.isPending && decide.variables === 'deny'}
              isDisabled={decide.isPending}
              onClick={() => decide.mutate('deny')}
            >
              {t`Deny`}
            </Button>
          </>
        )}
        {failure !== null && <Button onClick={onOther}>{t`Enter another code`}</Button>}
      </div>
    </>
  )
}

function DeviceFacts({ device }: { device: DeviceLogin }) {
  const { client_name: name, user_code: code, network } = device
  return (
    <>
      <p>
        <Trans>
          <b>{name}</b> wants to sign in to your account. It will have the same access as you until you end its session
          on your profile.
        </Trans>
      </p>
      <dl className="device-facts">
        <dt>{t`Code`}</dt>
        <dd className="mono">{code}</dd>
        <dt>{t`Network`}</dt>
        <dd className="mono">{network ?? t`unknown`}</dd>
      </dl>
      <p className="muted">
        {t`Approve only if you started this yourself and the device shows the same code. Never approve a code that someone sent you.`}
      </p>
    </>
  )
}

function Decided({ decision }: { decision: DecideDeviceLogin['decision'] }) {
  return (
    <p role="status">
      {decision === 'approve'
        ? t`Approved. Return to the device: it signs in within a few seconds.`
        : t`Denied. The device was not signed in.`}
    </p>
  )
}
