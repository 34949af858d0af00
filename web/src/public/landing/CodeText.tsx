const NAME = /("\w+")(?=\s*:)|(…)/g

/** JSON with property names in a dimmer color. Focusable, because it may scroll. */
export function CodeText({ label, className = '', children }: { label: string; className?: string; children: string }) {
  return (
    <pre className={`code ${className}`} tabIndex={0} aria-label={label} role="region">
      {children.split(NAME).map((part, index) => {
        if (part === undefined) return null
        if (part === '…')
          return (
            <span className="comment" key={index}>
              …
            </span>
          )
        return /^"\w+"$/.test(part) && index % 3 === 1 ? (
          <span className="keyword" key={index}>
            {part}
          </span>
        ) : (
          part
        )
      })}
    </pre>
  )
}
