import { buildWeb } from '../../../../deploy/local/web/web-build.ts'

/** Directory of the pages as served by `npm start` and the tests; rebuilt only after source changes. */
export async function builtPages(): Promise<string> {
  const folder = await buildWeb(() => undefined)
  if (folder === undefined) throw new Error('There are no pages to build.')
  return folder
}
