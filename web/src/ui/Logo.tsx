/** The mark is a piece of tape with its amber edge. The caller provides the name. */
export function Logo({ children }: { children: string }) {
  return (
    <>
      <svg viewBox="0 0 22 22" aria-hidden="true">
        <path className="mark" d="M6 14.5h15M9 14V8.5M13 14V4.5M17 15v4" />
        <path className="edge" d="M4 2v18" />
      </svg>
      <span className="word">{children}</span>
    </>
  )
}
