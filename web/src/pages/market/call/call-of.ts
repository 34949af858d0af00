/** A call as a shell command; the key is a variable of the shell. */
export function curlOf(path: string, body: object, apiUrl: string): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", `'\\''`)
  return [
    `curl '${apiUrl}${path}'`,
    '-H "Authorization: Bearer $TAPELINE_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${json}'`,
  ].join(' \\\n  ')
}
