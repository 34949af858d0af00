import { buildWeb } from '../../../../deploy/local/web/web-build.ts'

/** The folder of the pages as `npm start` and the suites serve them; built only when their sources changed. */
export async function builtPages(): Promise<string> {
  const folder = await buildWeb(() => undefined)
  if (folder === undefined) throw new Error('There are no pages to build.')
  return folder
}
