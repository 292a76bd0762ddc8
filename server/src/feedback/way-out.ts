/** Whether recipients would find their way out of a mailing, asked before it is sent. */

import { textOf } from '../platform/mail/quoted-printable.ts'
import { findLinks } from './find-links.ts'
import { footerOf } from './footer.ts'
import { atEnd } from './page-end.ts'

export interface WayOut {
  /** Whether the link is found in the mail as it would go out. */
  isShown(mail: { html?: string; text: string }): boolean
  /** Why nobody could follow it; undefined where they could. */
  leadsNowhere(trackingHost: string | undefined): string | undefined
}

/** Stands for a recipient's own link. */
const sample = 'https://example.com/way-out'

export function createWayOut({ baseUrl, isReal }: { baseUrl: string; isReal: boolean }): WayOut {
  const nobody = { name: '', postalAddress: null }
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
  }
}
