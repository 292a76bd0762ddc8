import { limits } from '../../config.ts'
import { inUnits } from '../../lib/text/byte-units.ts'
import { mostInBatch } from '../../messages/send-batch.ts'
import { heading, list, type Page, table, text } from '../blocks.ts'

export function limitsGuide(): Page {
  return {
    path: 'guides/limits',
    title: 'Rate limits and other limits',
    about:
      'How much a program may ask for, what each answer says about it, and what to do when a limit is reached.',
    keywords: '429 rate limit headers retry-after throttling quota',
    blocks: [
      heading('Requests'),
      table(
        ['limit', 'value', 'over it'],
        [
          [
            'Requests with one token or key, at both entry points together',
            `${limits.requestsPerMinute} in any 60 seconds`,
            '429 [rate_limited](errors/rate_limited)',
          ],
          [
            'Body of one mail, with its attachments as base64',
            `${inUnits(limits.emailCallBytes)}; attachments ${inUnits(limits.emailAttachmentBytes)} together, at most ${limits.emailAttachments}`,
            '413 [too_large](errors/too_large)',
          ],
          [
            'Body of a call over REST',
            `${inUnits(limits.callBytes)}, or what its page says`,
            '413 [too_large](errors/too_large)',
          ],
          [
            'Body at the tool endpoint',
            inUnits(limits.toolCallBytes),
            '413 [too_large](errors/too_large)',
          ],
          [
            'Items of a list',
            'as many as fit 20 kB, up to 50; or `limit`, up to 200',
            '400 [invalid_request](errors/invalid_request)',
          ],
        ],
      ),
      heading('Headers'),
      table(
        ['header', 'holds'],
        [
          ['`RateLimit-Limit`', 'The most requests in a window.'],
          ['`RateLimit-Remaining`', 'What is left of them.'],
          ['`RateLimit-Reset`', 'Seconds until the window ends.'],
          ['`Retry-After`', 'With 429 and 503: seconds to wait before the next try.'],
        ],
      ),
      heading('What to do at a limit'),
      list(
        'Wait as long as `Retry-After` says. The SDK does so by itself, up to a minute and for two more tries; a longer wait is thrown to you.',
        `Send up to ${mostInBatch} messages in one call of [email.send_batch](operations/email.send_batch).`,
        'Bring many contacts as a [file](/docs/help/importing), which has no limit of requests.',
        'Let [webhooks](guides/webhooks) tell you what happened in place of asking again and again.',
      ),
      heading('Recipients and tiers'),
      text(
        'A connection and a key also have a daily number of recipients, which people see and change on its page in the app. Over it a send is 429 `rate_limited` over REST, and a batch is taken with the messages over it in `refused`. What a tier allows, and how much of it is used, is in [meta.usage](operations/meta.usage).',
      ),
    ],
  }
}
