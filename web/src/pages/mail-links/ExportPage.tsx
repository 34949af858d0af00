import type { ExportFile } from '@tapeline/contracts/identity/account-life'
import { api } from '../../platform.ts'
import { MailLinkPage } from './MailLinkPage.tsx'

const FILE_NAME = 'tapeline-account.json'

export function ExportPage() {
  return (
    <MailLinkPage
      title="Download your data"
      lead="The file holds your profile, sessions, keys, settings, plan and usage. Whoever has it can read all that."
      action="Download"
      doneTitle="Your data was downloaded"
      use={async (token) => {
        const path = '/api/v1/internal/user/export/open'
        const { body } = await api.send<ExportFile>({ method: 'POST', path, body: { token }, credential: 'none' })
        save(JSON.stringify(body, null, 2))
        return `It is in the file ${FILE_NAME}.`
      }}
    />
  )
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: FILE_NAME })
  link.click()
  URL.revokeObjectURL(url)
}
