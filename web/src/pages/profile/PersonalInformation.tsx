import { msg, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { i18n } from '../../language/i18n.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Line, Panel } from './Lines.tsx'
import type { ProfileEdit } from './use-profile-edit.ts'

/** The form that the buttons at the top of the page belong to. */
export const PROFILE_FORM = 'profile'

export function PersonalInformation({ user, edit }: { user: ClientUser; edit: ProfileEdit }) {
  return (
    <Panel title={t`Personal Information`}>{edit.isEditing ? <Fields edit={edit} /> : <Facts user={user} />}</Panel>
  )
}

function Facts({ user }: { user: ClientUser }) {
  return (
    <dl className="lines">
      <Line label={t`First name`}>{orNotSet(user.firstName)}</Line>
      <Line label={t`Last name`}>{orNotSet(user.lastName)}</Line>
      <Line label={t`Email`}>
        <span className="mono">{user.email}</span>
        {user.emailVerified && <StateBadge tone="ok">{t`Verified`}</StateBadge>}
      </Line>
      <Line label={t`Mobile`}>{orNotSet(user.mobile)}</Line>
    </dl>
  )
}

function orNotSet(value: string): ReactNode {
  return value === '' ? <span className="faint">{t`Not set`}</span> : value
}

const TEXTS = [
  { name: 'firstName', label: msg`First name`, type: 'text', error: 'first_name', autoComplete: 'given-name', max: 80 },
  { name: 'lastName', label: msg`Last name`, type: 'text', error: 'last_name', autoComplete: 'family-name', max: 80 },
  { name: 'email', label: msg`Email`, type: 'email', error: undefined, autoComplete: 'email', max: 254 },
  { name: 'mobile', label: msg`Mobile`, type: 'tel', error: 'mobile', autoComplete: 'tel', max: 32 },
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
          label={i18n._(label)}
          error={error === undefined ? undefined : edit.errors[error]}
          {...(name === 'email'
            ? { hint: t`Changing the address requires your password and is confirmed by a link.` }
            : {})}
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
