import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { Utm } from '../../../core/utm.ts'
import { kindOf, type Preview } from '../../../templates/previews.ts'
import type { Gate } from './gate.ts'

/** The functions about unsubscribing that subscriptions provide; `composition/` connects them. */
export interface UnsubscribeCheck {
  /** Whether a recipient would see the link in the mail as it is sent. */
  isShown(mail: Mail): boolean
  /**
   * Why the link could not be followed, such as that it leads to localhost; undefined if it can be.
   */
  leadsNowhere(trackingHost: string | undefined): string | undefined
  /**
   * The link in a test, in place of a recipient's own: it leads to this service and unsubscribes
   * nobody.
   */
  testUrl(trackingHost: string | undefined): string
  /** How many bytes the counting of opens and clicks adds to a page. */
  bytesOfTracking(page: string, trackingHost: string | undefined): number
  /**
   * Adds the standard footer with this link at the end of the page, in the language if given, and
   * the UTM parameters of the links.
   */
  withFooter(
    business: SenderProfile,
    url: string,
    mail: Mail,
    choices?: { language?: string | null | undefined; utm?: Utm | undefined },
  ): Mail
}

interface Mail {
  html?: string
  text: string
}

/** A page may have a megabyte of tags, so each one gets its own turn of the event loop. */
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

/**
 * The link is added to every mail automatically; the gate is for cases where that is not enough.
 */
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
    const findings = [{ finding: 'leads_nowhere' as const }]
    return { gate, result: 'block', evidence: nowhere, findings, remedy }
  }
  const hidden = await firstHidden(unsubscribeCheck, previews)
  if (hidden) {
    return {
      gate,
      result: 'block',
      evidence: `With ${kindOf(hidden)} the unsubscribe link at the end of the HTML is swallowed by what stands before it.`,
      findings: [{ finding: 'unsubscribe_hidden' }],
      remedy: 'Close every comment, style and title in the HTML, or link to {{ unsubscribe_url }}.',
    }
  }
  return { gate, result: 'pass', evidence: carried }
}

const carried =
  'Every mail carries the link, and lets the mail program show its own button to unsubscribe (RFC 8058).'
