/** Stores the user who turned pushes on in this browser; other users who sign in here do not receive them. */
export const TURNED_ON_BY = 'tapeline-push'

type Deps = {
  local: Pick<Storage, 'getItem'>
  /** The signed-in user. */
  userId: string
  whenIdle: (run: () => void) => void
  /** Its state registers the subscription of this browser. */
  open: () => Promise<{ state: () => Promise<unknown> }>
}

/**
 * Registers the subscription of this browser again if the user turned pushes on here: the server deleted it with the
 * previous session. Errors are ignored: the settings show them, and the next start repeats the call.
 */
export function renewPush({ local, userId, whenIdle, open }: Deps): void {
  if (local.getItem(TURNED_ON_BY) !== userId) return
  whenIdle(() => {
    void open()
      .then((push) => push.state())
      .catch(() => undefined)
  })
}
