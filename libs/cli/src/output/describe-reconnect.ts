/** For stderr: why the connection ended, and the pause before the next attempt. Undefined for other notices. */
export function describeReconnect(notice: { type: string; [field: string]: unknown }): string | undefined {
  if (notice.type !== 'reconnecting') return undefined
  const reason = notice['error'] instanceof Error ? `: ${notice['error'].message.replace(/\.$/, '')}` : ''
  const pauseMs = Number(notice['pauseMs'])
  const pause = pauseMs < 1_000 ? `${Math.round(pauseMs)} ms` : `${Number((pauseMs / 1_000).toFixed(1))} s`
  return `connection lost${reason}, trying again in ${pause}`
}
