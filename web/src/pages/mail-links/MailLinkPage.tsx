import { msg, t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { useSession } from '../../session/use-session.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { FieldError } from '../../ui/Field.tsx'
import { useLinkToken } from './use-link-token.ts'

const MISSING = msg`This link is incomplete. Open it again from the email.`
const NO_ANSWER = msg`There was no response. Please try again.`

export type MailLinkProps = {
  title: string
  lead: string
  action: string
  /** Uses the link; errors that it throws are shown. */
  use: (token: string) => Promise<ReactNode>
  doneTitle: string
}

/** The link is used only when the user presses the button, because mail scanners open every link. */
export function MailLinkPage({ title, lead, action, use, doneTitle }: MailLinkProps) {
  const token = useLinkToken()
  const [done, setDone] = useState<ReactNode>()
  const [failure, setFailure] = useState<string | undefined>(token === '' ? i18n._(MISSING) : undefined)
  const [isBusy, setBusy] = useState(false)

  async function press(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      setDone(await use(token))
    } catch (error) {
      setFailure(error instanceof ApiError && error.status !== 0 ? error.message : i18n._(NO_ANSWER))
    } finally {
      setBusy(false)
    }
  }

  if (done !== undefined) {
    return (
      <div role="status">
        <h1>{doneTitle}</h1>
        <p>{done}</p>
        <div className="form">
          <Onward />
        </div>
      </div>
    )
  }
  return (
    <>
      <h1>{title}</h1>
      <p>{lead}</p>
      <div className="form">
        <div className="slot" role="alert">
          {failure !== undefined && <FieldError>{failure}</FieldError>}
        </div>
        <Button
          variant="primary"
          size="large"
          isBusy={isBusy}
          isDisabled={token === ''}
          onClick={() => {
            if (!isBusy && token !== '') void press()
          }}
        >
          {action}
        </Button>
        <Onward />
      </div>
    </>
  )
}

function Onward() {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <Link className={buttonClass({ variant: 'quiet', size: 'large' })} to={isSignedIn ? paths.profile : paths.login}>
      {isSignedIn ? t`Go to the dashboard` : t`Go to login`}
    </Link>
  )
}
