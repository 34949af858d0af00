/** Coarse on purpose: whether the address works is known only when mail arrives. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
}
