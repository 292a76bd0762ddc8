/** Checks before a mailing is sent whether recipients can unsubscribe from it. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { findLinks } from '../lib/email/find-links.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import { footerOf } from '../tracking/footer.ts'
import { atEnd } from '../tracking/page-end.ts'

export interface UnsubscribeCheck {
  /** Whether the link is in the mail as it would be sent. */
  isShown(mail: Mail): boolean
  /** Why nobody could follow the link. Undefined if it works. */
  leadsNowhere(trackingHost: string | undefined): string | undefined
  /** Replaces the recipient's own link in tests. Following it unsubscribes nobody. */
  testUrl(trackingHost: string | undefined): string
  /** Returns the mail with the footer that `prepare` adds. */
  withFooter(business: SenderProfile, url: string, mail: Mail, language?: string | null): Mail
}

interface Mail {
  html?: string
  text: string
}

/** Used in place of a recipient's own link. */
const sample = 'https://example.com/unsubscribe'

export function createUnsubscribeCheck({
  baseUrl,
  isReal,
}: {
  baseUrl: string
  isReal: boolean
}): UnsubscribeCheck {
  const nobody = { name: '', postalAddress: null, language: 'en' }
  return {
    isShown(mail) {
      if (mail.html === undefined) return true
      const page = atEnd(mail.html, footerOf(nobody, sample, mail).html)
      return findLinks(textOf(page)).some(({ url }) => url === sample)
    },
    leadsNowhere(trackingHost) {
      if (!isReal || trackingHost !== undefined || baseUrl.startsWith('https:')) return undefined
      // RFC 8058 section 3.1: one-click needs an https URI.
      return `The unsubscribe link would lead to ${baseUrl}, which is no https address: mailboxes do not offer it.`
    },
    testUrl: (trackingHost) => `${trackingHost ? `https://${trackingHost}` : baseUrl}/u/test`,
    withFooter(business, url, { html: page, text }, language) {
      const mail = { text, ...(page !== undefined && { html: page }) }
      const footer = footerOf(business, url, mail, language)
      return {
        text: text + footer.text,
        ...(page !== undefined && { html: textOf(atEnd(page, footer.html)) }),
      }
    },
  }
}
