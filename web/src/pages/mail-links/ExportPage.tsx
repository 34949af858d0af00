import { t } from '@lingui/core/macro'
import type { ExportFile } from '@tapeline/contracts/identity/account-deletion'
import { api } from '../../platform.ts'
import { saveFile } from '../../ui/save-file.ts'
import { MailLinkPage } from './MailLinkPage.tsx'

const FILE_NAME = 'tapeline-account.json'

export function ExportPage() {
  return (
    <MailLinkPage
      title={t`Download your data`}
      lead={t`The file contains your profile, sessions, keys, settings, plan and usage. Keep it private.`}
      action={t`Download`}
      doneTitle={t`Your data was downloaded`}
      use={async (token) => {
        const path = '/api/v1/internal/user/export/open'
        const { body } = await api.send<ExportFile>({ method: 'POST', path, body: { token }, credential: 'none' })
        saveFile(FILE_NAME, new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' }))
        return t`It is in the file ${FILE_NAME}.`
      }}
    />
  )
}
