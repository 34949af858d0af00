/** Three ticks of the tape, one raised at a time; still under reduced motion. */
export function Busy() {
  return (
    <span className="busy" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}
