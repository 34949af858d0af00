import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { Copy, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { showToast } from '../../ui/Toasts.tsx'

const CANNOT_COPY = 'Cannot copy masked API key. Keys are only shown once during creation.'
const COPY_FAILED = 'Failed to copy API key to clipboard.'

/** The public prefix or sixteen bullets; the eye switches the two. The secret is nowhere in a list. */
export function KeyPrefix({ apiKey }: { apiKey: ApiKey }) {
  const [isShown, setShown] = useState(true)
  const Icon = isShown ? Eye : EyeOff
  return (
    <div className="secret">
      <code>{isShown ? `${apiKey.prefix}…` : apiKey.api_key}</code>
      <Button
        variant="quiet"
        size="small"
        isIconOnly
        aria-label={`${isShown ? 'Mask' : 'Show prefix of'} ${apiKey.name}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        icon={<Icon className="i" aria-hidden="true" />}
      />
      {isShown ? (
        <CopyButton
          text={apiKey.prefix}
          label={`Copy prefix of ${apiKey.name}`}
          size="small"
          onFailed={() => showToast({ type: 'error', title: COPY_FAILED })}
        />
      ) : (
        <Button
          variant="quiet"
          size="small"
          isIconOnly
          aria-label={`Copy ${apiKey.name}`}
          onClick={() => showToast({ type: 'warning', title: CANNOT_COPY })}
          icon={<Copy className="i" aria-hidden="true" />}
        />
      )}
    </div>
  )
}
