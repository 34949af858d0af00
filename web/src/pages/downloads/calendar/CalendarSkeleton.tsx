const ROWS = [1, 0.7, 0.4]
const DAYS = 60

/** A decorative preview of the calendar. */
export function CalendarSkeleton() {
  return (
    <div className="calendar-skeleton" aria-hidden="true">
      {ROWS.map((opacity) => (
        <div className="cells" key={opacity} style={{ opacity }}>
          {Array.from({ length: DAYS }, (_, n) => (
            <i key={n} className="day-skeleton" />
          ))}
        </div>
      ))}
    </div>
  )
}
