const STATUS_CLASS = 100

/** Both ends are included. */
export type Statuses = { from: number; to: number }

/** Parses `4xx` as 400 to 499, `429` as itself. */
export function readStatuses(status: string): Statuses {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status[0]) * STATUS_CLASS
  return { from, to: from + STATUS_CLASS - 1 }
}
