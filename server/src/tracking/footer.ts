/** The footer of marketing mail: the sender, its postal address, and the unsubscribe link. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { chooseLanguage, wordsIn } from '../core/recipient-words/languages.ts'
import { type Content, textOf } from '../lib/email/quoted-printable.ts'
import { escapeHtml, html } from '../lib/text/html.ts'

type Sender = Pick<SenderProfile, 'name' | 'postalAddress' | 'language' | 'look'>

export interface Footer {
  html: string
  text: string
}

/** Adds the elements that the mail does not contain yet. A template may have both. */
export function footerOf(
  senderProfile: Sender,
  preferencesUrl: string,
  body: { html?: Content; text: Content },
  language?: string | null,
): Footer {
  const footer = whole(senderProfile, preferencesUrl, language)
  const required = [preferencesUrl, ...(senderProfile.postalAddress?.split('\n') ?? [])]
  const isIn = (part: Content | undefined, spell: (text: string) => string) => {
    const whole = textOf(part ?? '')
    return required.every((text) => whole.includes(spell(text)))
  }
  return {
    html: isIn(body.html, escapeHtml) ? '' : footer.html,
    text: isIn(body.text, (text) => text) ? '' : footer.text,
  }
}

function whole(
  { name, postalAddress, language: ofBusiness, look }: Sender,
  preferencesUrl: string,
  language: string | null | undefined,
): Footer {
  const address = postalAddress?.split('\n') ?? []
  // Many people begin their address with the name.
  const lines = isSame(address[0], name) ? address : [name, ...address]
  const way = wordsIn(chooseLanguage(language, ofBusiness), look?.words).mail.preferences
  return {
    html: html`<div class="crier-footer" style="margin:32px auto 16px;max-width:600px;color:#5a5a65;font:12px/1.5 sans-serif;text-align:center">
<p style="margin:0 0 8px">${lines.map((line, i) => (i === 0 ? line : html`<br>${line}`))}</p>
<p style="margin:0"><a href="${preferencesUrl}" style="color:#5a5a65">${way}</a></p>
</div>`.toString(),
    text: `\n\n-- \n${lines.join('\n')}\n\n${way}:\n${preferencesUrl}\n`,
  }
}

function isSame(line: string | undefined, name: string): boolean {
  return line?.trim().toLowerCase() === name.trim().toLowerCase()
}
