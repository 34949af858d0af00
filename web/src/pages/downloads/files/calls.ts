import type { DataFile } from '@tapeline/contracts/market-data/files'
import type { Channel } from '../downloads-filter.ts'

/** Days, both inclusive. */
export type FilesCall = { venue: string; symbol: string; channel: Channel | undefined; from: string; to: string }
type Named = Pick<DataFile, 'id' | 'name' | 'sha256'>

const AUTHORIZATION = '"Authorization: Bearer $TAPELINE_API_KEY"'
const RETRIES = 5

/** The list of the chosen days, as one line for a shell. */
export function listCall(call: FilesCall, apiUrl: string): string {
  const params = Object.entries(call).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return `curl '${apiUrl}/api/v1/files?${new URLSearchParams(params).toString()}' -H ${AUTHORIZATION}`
}

/** One file, resumed where an earlier download of it stopped. */
export function fileCall({ id, name }: Named, apiUrl: string): string {
  return `curl -f -C - -o ${quoted(name)} '${apiUrl}/api/v1/files/${id}' -H ${AUTHORIZATION}`
}

/** Fetches these files and verifies them; run again, it resumes and skips finished files. */
export function filesScript(files: readonly Named[], apiUrl: string): string {
  return [
    '#!/bin/sh',
    'get() {',
    `  [ -f "$2" ] || { curl -fsS --retry ${RETRIES} -C - -o "$2.part" -H ${AUTHORIZATION} \\`,
    `    '${apiUrl}/api/v1/files/'"$1" && mv "$2.part" "$2"; }`,
    '}',
    ...files.map(({ id, name }) => `get ${id} ${quoted(name)}`),
    "cat > SHA256SUMS <<'END'",
    ...files.map(({ sha256, name }) => `${sha256}  ${name}`),
    'END',
    'if command -v sha256sum > /dev/null; then sha256sum -c SHA256SUMS; else shasum -a 256 -c SHA256SUMS; fi',
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
