const NAME = /("\w+")(?=\s*:)|(…)/g

/** JSON with its names a shade back. Focusable, because it may scroll. */
export function CodeText({ label, children }: { label: string; children: string }) {
  return (
    <pre className="code" tabIndex={0} aria-label={label}>
      {children.split(NAME).map((part, index) => {
        if (part === undefined) return null
        if (part === '…')
          return (
            <span className="c" key={index}>
              …
            </span>
          )
        return /^"\w+"$/.test(part) && index % 3 === 1 ? (
          <span className="k" key={index}>
            {part}
          </span>
        ) : (
          part
        )
      })}
    </pre>
  )
}
