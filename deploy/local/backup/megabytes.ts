/** 12.3 MB (decimal megabytes). */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
