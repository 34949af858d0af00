import { CopyButton } from './CopyButton.tsx'

/** One line to paste into a shell. */
export function Command({ children, label = 'Copy command' }: { children: string; label?: string }) {
  return (
    <div className="command">
      <code>{children}</code>
      <CopyButton text={children} label={label} />
    </div>
  )
}
