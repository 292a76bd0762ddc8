import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { Preview } from '../../../templates/previews.ts'
import type { Gate } from './gate.ts'

/** What subscriptions know of unsubscribing; `composition/` fills it in. */
export interface UnsubscribeCheck {
  /** Whether a recipient would find the link in the mail as it goes out. */
  isShown(mail: Mail): boolean
  /** Why nobody could follow it, such as that it leads to localhost; else undefined. */
  leadsNowhere(trackingHost: string | undefined): string | undefined
  /** Stands in a test for a recipient's own link: it leads to us, and nobody leaves by it. */
  testUrl(trackingHost: string | undefined): string
  /** What stands under a mail by itself, with this link, put where its page ends. */
  withFooter(business: SenderProfile, url: string, mail: Mail): Mail
}

interface Mail {
  html?: string
  text: string
}

/** A page may have a megabyte of tags, so each has its own turn of the loop. */
async function firstHidden(
  unsubscribeCheck: UnsubscribeCheck,
  previews: readonly Preview[],
): Promise<Preview | undefined> {
  const seen = new Set<string | undefined>()
  for (const mail of previews) {
    if (seen.has(mail.html)) continue
    seen.add(mail.html)
    await turnOfLoop()
    if (!unsubscribeCheck.isShown(mail)) return mail
  }
  return undefined
}

/** The link is put under every mail by itself; the gate is for where that is not enough. */
export async function unsubscribeGate(
  unsubscribeCheck: UnsubscribeCheck,
  previews: readonly Preview[],
  trackingHost: string | undefined,
): Promise<Gate> {
  const gate = 'unsubscribe_link'
  const nowhere = unsubscribeCheck.leadsNowhere(trackingHost)
  if (nowhere !== undefined) {
    const remedy =
      'Whoever runs this installation sets BASE_URL to its public https address: no setting of the business mends it.'
    return { gate, result: 'block', evidence: nowhere, remedy }
  }
  const hidden = await firstHidden(unsubscribeCheck, previews)
  if (hidden) {
    return {
      gate,
      result: 'block',
      evidence: `With ${hidden.data} data the unsubscribe link at the end of the HTML is swallowed by what stands before it.`,
      remedy: 'Close every comment, style and title in the HTML, or link to {{ unsubscribe_url }}.',
    }
  }
  return { gate, result: 'pass', evidence: 'Every mail carries the link, and RFC 8058 headers.' }
}
