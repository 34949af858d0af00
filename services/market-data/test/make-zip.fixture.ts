import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'

/** An archive with these files. */
export async function makeZip(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, content] of Object.entries(files)) await writer.add(name, new TextReader(content))
  return Buffer.from(await writer.close())
}
