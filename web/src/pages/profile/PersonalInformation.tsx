import type { ReactNode } from 'react'
import type { ClientUser } from '../../session/present-user.ts'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Line, Panel } from './Lines.tsx'
import type { ProfileEdit } from './use-profile-edit.ts'

/** The form that the buttons at the top of the page belong to. */
export const PROFILE_FORM = 'profile'

export function PersonalInformation({ user, edit }: { user: ClientUser; edit: ProfileEdit }) {
  return <Panel title="Personal Information">{edit.isEditing ? <Fields edit={edit} /> : <Facts user={user} />}</Panel>
}

function Facts({ user }: { user: ClientUser }) {
  return (
    <dl className="lines">
      <Line label="First name">{orNotSet(user.firstName)}</Line>
      <Line label="Last name">{orNotSet(user.lastName)}</Line>
      <Line label="Email">
        <span className="mono">{user.email}</span>
        {user.emailVerified && <StateBadge tone="ok">Verified</StateBadge>}
      </Line>
      <Line label="Mobile">{orNotSet(user.mobile)}</Line>
    </dl>
  )
}

function orNotSet(value: string): ReactNode {
  return value === '' ? <span className="t3">Not set</span> : value
}

const TEXTS = [
  { name: 'firstName', label: 'First name', type: 'text', error: 'first_name', autoComplete: 'given-name', max: 80 },
  { name: 'lastName', label: 'Last name', type: 'text', error: 'last_name', autoComplete: 'family-name', max: 80 },
  { name: 'email', label: 'Email', type: 'email', error: undefined, autoComplete: 'email', max: 254 },
  { name: 'mobile', label: 'Mobile', type: 'tel', error: 'mobile', autoComplete: 'tel', max: 32 },
] as const

function Fields({ edit }: { edit: ProfileEdit }) {
  return (
    <form
      id={PROFILE_FORM}
      className="edit"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void edit.save()
      }}
    >
      {TEXTS.map(({ name, label, type, error, autoComplete, max }, index) => (
        <Field
          key={name}
          label={label}
          error={error === undefined ? undefined : edit.errors[error]}
          {...(name === 'email' ? { hint: 'A new address asks for your password and is confirmed by a link.' } : {})}
        >
          {(control) => (
            <Input
              {...control}
              type={type}
              name={name}
              autoFocus={index === 0}
              autoComplete={autoComplete}
              maxLength={max}
              value={edit.shown[name]}
              onChange={(event) => edit.change({ [name]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <div role="alert">{edit.errors.form !== undefined && <FieldError>{edit.errors.form}</FieldError>}</div>
    </form>
  )
}
