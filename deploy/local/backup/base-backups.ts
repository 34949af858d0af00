import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { StartProblem } from '../start-problem.ts'
import { readObject } from './read-object.ts'
import { isContinued, readTimelines } from './timelines.ts'

/** One object of a base backup; the contents of all parts in order are a tar file compressed with zstd. */
const Part = Type.Object({ key: Type.String(), bytes: Type.Integer(), sha256: Type.String() })
export type Part = Static<typeof Part>

const Manifest = Type.Object({
  format: Type.Literal('tapeline-base-backup-1'),
  /** The folder of the parts. */
  folder: Type.String(),
  started_at: Type.String(),
  /** Earliest time to which the backup can be restored. */
  restorable_from: Type.String(),
  /** A restore needs this segment of PostgreSQL's log and all later ones. */
  first_segment: Type.String(),
  /** Position in the log at which the backup is consistent. */
  end_position: Type.String(),
  parts: Type.Array(Part, { minItems: 1 }),
})
export type Manifest = Static<typeof Manifest>

const MANIFESTS = 'base/'
const PARTS = 'parts/'
const MANIFEST_KEY = /^base\/(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)\.json$/

/** Written after all parts, so that an interrupted backup has none and is never restored. */
export async function putManifest(store: ObjectStore, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = JSON.stringify({ format: 'tapeline-base-backup-1', ...manifest } satisfies Manifest, null, 2)
  const key = manifestKey(new Date(manifest.restorable_from))
  const result = await store.putIfAbsent(key, new TextEncoder().encode(text))
  if (result === 'exists') throw new Error(`${key} exists already`)
}

/** A folder for the parts of a backup that starts now. */
export function newFolder(startedAt: Date, id: string): string {
  return `${PARTS}${startedAt.toISOString().replaceAll(':', '')}-${id}`
}

/**
 * The newest complete base backup from before `to`, without those on a timeline that an earlier restore abandoned.
 * @throws StartProblem if there is none, or it is damaged
 */
export async function findBackup({ store, url }: { store: ObjectStore; url: string }, to: Date): Promise<Manifest> {
  const listed = await listManifests(store)
  const [earliest] = listed
  if (earliest === undefined)
    throw new StartProblem(`${url} has no complete base backup.`, 'Specify another archive with --from.')
  const timelines = await readTimelines(store)
  for (const one of listed.filter(({ from }) => from <= to).toReversed()) {
    const manifest = await readManifest(store, one)
    if (isContinued(timelines, manifest)) return manifest
  }
  throw new StartProblem(
    `${url} has no base backup from before ${to.toISOString()}.`,
    `The earliest is ${earliest.from.toISOString()}.`,
  )
}

export type ListedBackups = { complete: Manifest[]; incomplete: { folder: string; bytes: number }[] }

/** Complete base backups, the oldest first, and folders of parts without a manifest. */
export async function listBackups(store: ObjectStore): Promise<ListedBackups> {
  // Parts first: a backup that ends meanwhile is then listed as complete.
  const parts = await store.list(PARTS)
  const complete: Manifest[] = []
  for (const listed of await listManifests(store)) complete.push(await readManifest(store, listed))
  const folders = new Set(complete.map(({ folder }) => folder))
  const sizes = new Map<string, number>()
  for (const { key, size } of parts) {
    const folder = key.slice(0, key.lastIndexOf('/'))
    if (!folders.has(folder)) sizes.set(folder, (sizes.get(folder) ?? 0) + size)
  }
  return { complete, incomplete: [...sizes].map(([folder, bytes]) => ({ folder, bytes })) }
}

type ListedManifest = { key: string; size: number; from: Date }

async function listManifests(store: ObjectStore): Promise<ListedManifest[]> {
  const objects = await store.list(MANIFESTS)
  return objects
    .flatMap(({ key, size }) => {
      const [, day, hour, minute, second] = MANIFEST_KEY.exec(key) ?? []
      return day === undefined ? [] : [{ key, size, from: new Date(`${day}${hour}:${minute}:${second}`) }]
    })
    .toSorted((one, other) => one.from.getTime() - other.from.getTime())
}

async function readManifest(store: ObjectStore, { key, size }: ListedManifest): Promise<Manifest> {
  const text = new TextDecoder().decode(await readObject(store, key, size))
  try {
    return Value.Parse(Manifest, JSON.parse(text))
  } catch (cause) {
    throw new StartProblem(
      `The manifest ${key} is damaged.`,
      'Use --to with a time before this backup, or delete the manifest.',
      {
        cause,
      },
    )
  }
}

function manifestKey(from: Date): string {
  return `${MANIFESTS}${from.toISOString().replaceAll(':', '')}.json`
}
