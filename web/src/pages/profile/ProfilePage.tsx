import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { formatMonth } from '../../format/date.ts'
import { FLAGS, hasFlag } from '../../session/features.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { roleName } from '../../session/role-names.ts'
import { useUser } from '../../session/use-session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { Stat, Stats } from '../../ui/Stat.tsx'
import { Tag } from '../../ui/StateBadge.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import { UnsavedGuard } from '../UnsavedGuard.tsx'
import { AccountOverview } from './AccountOverview.tsx'
import { ChangeEmailDialog } from './dialogs.tsx'
import { PersonalInformation, PROFILE_FORM } from './PersonalInformation.tsx'
import { QuickActions } from './QuickActions.tsx'
import { Sessions } from './Sessions.tsx'
import { SignInPanel } from './SignInPanel.tsx'
import { YourData } from './YourData.tsx'
import './profile.css'
import { type ProfileEdit, useProfileEdit } from './use-profile-edit.ts'

export function ProfilePage() {
  const user = useUser()
  const { timezone } = useSettings()
  const [newEmail, setNewEmail] = useState<string>()
  const edit = useProfileEdit(user, setNewEmail)
  return (
    <div className="profile">
      <UnsavedGuard isDirty={edit.isDirty} />
      <ProfileHead user={user} edit={edit} />
      <Stats>
        <Stat label={t`API Keys (active/total)`} value={<KeyCounts />} />
        <Stat
          label={t`Member Since`}
          value={user.createdAt === null ? t`N/A` : formatMonth(user.createdAt, timezone)}
          isWords
        />
      </Stats>
      <div className="cols">
        <div>
          <PersonalInformation user={user} edit={edit} />
          <Sessions />
          <YourData />
        </div>
        <div>
          <AccountOverview user={user} edit={edit} />
          <SignInPanel user={user} onChangeEmail={() => setNewEmail('')} />
        </div>
      </div>
      {hasFlag(user, FLAGS.apiKeys) && <QuickActions user={user} />}
      {newEmail !== undefined && <ChangeEmailDialog initialEmail={newEmail} onClose={() => setNewEmail(undefined)} />}
    </div>
  )
}

function ProfileHead({ user, edit }: { user: ClientUser; edit: ProfileEdit }) {
  return (
    <div className="pagebar">
      <p>
        <b>{[user.firstName, user.lastName].filter(Boolean).join(' ')}</b> <span className="faint">·</span>{' '}
        <span className="mono">{user.email}</span>{' '}
        {user.role !== undefined && <Tag tone={user.role}>{roleName(user.role)}</Tag>}
      </p>
      <div className="actions">
        {edit.isEditing ? (
          <>
            <Button onClick={edit.cancel} isDisabled={edit.isSaving}>
              {t`Cancel`}
            </Button>
            <Button variant="primary" type="submit" form={PROFILE_FORM} isBusy={edit.isSaving}>
              {edit.isSaving ? t`Saving...` : t`Save Changes`}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={edit.start} icon={<Pencil className="icon" aria-hidden="true" />}>
            {t`Edit Profile`}
          </Button>
        )}
      </div>
    </div>
  )
}

function KeyCounts() {
  const keys = useQuery(keysQuery)
  if (keys.data === undefined) return <span className="faint">{keys.isError ? t`N/A` : '–'}</span>
  return (
    <>
      {keys.data.filter(({ status }) => status === 'active').length}
      <span className="faint">/{keys.data.length}</span>
    </>
  )
}
