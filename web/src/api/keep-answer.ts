import { hashKey, type QueryKey } from '@tanstack/react-query'

/**
 * Placeholder data: the previous answer while another page of the same list, or another moment of the same view, is loaded. `part`
 * is the second element of the query key, which names the list or the view: the answer to another one is not shown as this one's.
 */
export function keepAnswerOf(part: unknown) {
  return <T>(previous: T | undefined, query?: { queryKey: QueryKey }): T | undefined =>
    query !== undefined && hashKey([query.queryKey[1]]) === hashKey([part]) ? previous : undefined
}
