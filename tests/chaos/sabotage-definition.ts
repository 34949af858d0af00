/** A change that breaks a guarantee, the drill that must detect it, and the guarantee. */
export type Sabotage = {
  name: string
  breaks: string
  edits: { file: string; find: string; replace: string }[]
  drill: string
  /** Seed of the run, if not every seed triggers the fault early. */
  options?: readonly string[]
  /** Beginning of the text of the guarantee that must be reported as broken. */
  caughtBy: string
}
