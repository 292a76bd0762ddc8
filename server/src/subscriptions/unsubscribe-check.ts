/** Checks before a mailing is sent whether recipients can unsubscribe from it. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { Utm } from '../core/utm.ts'
import { findLinks } from '../lib/email/find-links.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import { linkTagger, markHtml, markText, type TagLink } from '../tracking/links.ts'
import { atEnd, bytesOfTracking, footerOf } from '../tracking/track-mail.ts'

export interface UnsubscribeCheck {
  /** Whether the link is in the mail as it would be sent. */
  isShown(mail: Mail): boolean
  /** Why nobody could follow the link. Undefined if it works. */
  leadsNowhere(trackingHost: string | undefined): string | undefined
  /** Replaces the recipient's own link in tests. Following it unsubscribes nobody. */
  testUrl(trackingHost: string | undefined): string
  /** How many bytes the counting of opens and clicks adds to a page. */
  bytesOfTracking(page: string, trackingHost: string | undefined): number
  /** Returns the mail with the footer and the UTM parameters that `prepare` adds. */
  withFooter(business: SenderProfile, url: string, mail: Mail, choices?: FooterChoices): Mail
}

interface Mail {
  html?: string
  text: string
}

export interface FooterChoices {
  language?: string | null | undefined
  utm?: Utm | undefined
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
  const baseOf = (trackingHost: string | undefined) =>
    trackingHost ? `https://${trackingHost}` : baseUrl
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
    testUrl: (trackingHost) => `${baseOf(trackingHost)}/u/test`,
    bytesOfTracking: (page, trackingHost) => bytesOfTracking(page, baseOf(trackingHost)),
    withFooter(business, url, mail, { language, utm } = {}) {
      const tag = utm && linkTagger(utm, [new URL(baseUrl).host, new URL(url).host])
      const { html: page, text } = tag ? tagged(mail, tag) : mail
      const footer = footerOf(
        business,
        url,
        { text, ...(page !== undefined && { html: page }) },
        language,
      )
      return {
        text: text + footer.text,
        ...(page !== undefined && { html: textOf(atEnd(page, footer.html)) }),
      }
    },
  }
}

function tagged({ html: page, text }: Mail, tag: TagLink): Mail {
  const marking = { counts: () => false, tag }
  const urlOf = ({ url }: { url: string }) => url
  return {
    text: markText(text, marking).write(urlOf),
    ...(page !== undefined && { html: markHtml(page, marking).write(urlOf) }),
  }
}
