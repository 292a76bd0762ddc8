import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { FetchDocument } from './client-documents.ts'

/** Fetches client metadata documents with limits: public addresses, no redirects, bounded size. */
export function documentFetch(outbound: Lazy<Outbound>): FetchDocument {
  return async (url, { bytes, milliseconds }) => {
    const { fetch } = await outbound.get()
    const answer = await fetch({
      url,
      headers: { accept: 'application/json' },
      deadlineMs: milliseconds,
      bodyMs: milliseconds,
      maxBytes: bytes,
    })
    if (answer.outcome === 'failed') throw new Error(`no answer: ${answer.reason}`)
    if (!answer.complete) throw new Error('the document is too long or broke off')
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, [value].flat().join(', '))
    }
    return { status: answer.status, headers, body: answer.body.toString() }
  }
}
