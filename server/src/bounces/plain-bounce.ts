/**
 * Bounce notices without a machine-readable part. Among those of old servers, qmail's has a fixed
 * form (QSBMF): a set phrase, then one paragraph per recipient that starts with `<address>:`.
 */
import { classify } from '../lib/email/classify.ts'
import type { DeliveryStatus } from './delivery-status.ts'
import type { ReturnedMail } from './read-mail.ts'

export function readPlainBounce(mail: ReturnedMail): DeliveryStatus | undefined {
  const [first = '', ...paragraphs] = mail.text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/, 50)
  if (!first.startsWith('Hi. This is the')) return undefined
  const about = paragraphs.find((paragraph) => /^<([^\s>]*)>:/.exec(paragraph)?.[1]?.includes('@'))
  if (about === undefined) return undefined
  const words = about.slice(about.indexOf(':') + 1).trim()
  const action = 'failed'
  return { action, words, verdict: classify({ action, text: words }) }
}
