/** The anchor of a heading, from its English words. */
export function headingSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
