/** The page of an error code: its status, what causes it, and how to mend it. */
import { type Code, statusOf } from '../../core/errors.ts'
import { code, heading, list, type Page, table, text } from '../blocks.ts'
import { causes, meanings } from '../codes.ts'
import { json, print } from '../samples/print.ts'

export function errorPage(errorCode: Code): Page {
  const { because, mend } = causes[errorCode]
  const status = statusOf[errorCode]
  return {
    path: `errors/${errorCode}`,
    title: errorCode,
    about: meanings[errorCode],
    keywords: `${status} error`,
    blocks: [
      table(
        ['property', 'value'],
        [
          ['Status over REST', String(status)],
          ['Try again', retryOf(status)],
        ],
      ),
      heading('Causes'),
      list(...because),
      heading('How to mend it'),
      list(...mend),
      heading('The body'),
      code(
        'json',
        print(
          {
            code: errorCode,
            error: errorCode,
            message: 'What is wrong with this call, and what would be right.',
            request_id: 'req_01k9v2e7h0r4wx5yc6zq8dts1k',
          },
          json,
        ),
      ),
      text(
        'The sentence in `message` is about your call. [Errors](guides/errors) explains the other keys, such as `field` and `fix`.',
      ),
    ],
  }
}

function retryOf(status: number): string {
  if (status === 429 || status === 503) return 'after the seconds in `Retry-After`'
  if (status === 500) return 'reads, and writes that have an idempotency key'
  if (status === 401) return 'once, with a fresh token'
  return 'not before the call, or what stands in its way, has changed'
}
