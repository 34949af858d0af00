/** Reports the progress of a step; the caller decides how and how often it is shown. */
export type Report = (text: string) => void

export const silent: Report = () => undefined
