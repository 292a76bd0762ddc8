/** The mail that asks a person to confirm. It contains nothing that the requester typed. */
import { directionOf, type RecipientLanguage, wordsIn } from '../core/recipient-words/languages.ts'
import { html } from '../lib/text/html.ts'
import type { Content } from '../messages/model/message.ts'

type ConfirmationContent = Content & { subject: string; html: string; text: string }

export function confirmationMail(
  business: string,
  url: string,
  language: RecipientLanguage,
): ConfirmationContent {
  const words = wordsIn(language).confirmation
  const text = words.text(business)
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${words.subject(business)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1b1b22">
<p>${text}</p>
<p><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#4c43d6;color:#ffffff;text-decoration:none">${words.button}</a></p>
<p style="color:#5a5a65">${words.ignore}</p>
</body></html>`
  return {
    subject: words.subject(business).slice(0, 200),
    html: page.toString(),
    text: `${text}\n\n${words.button}:\n${url}\n\n${words.ignore}\n`,
    variables: null,
    attachments: null,
    trackOpens: false,
    trackClicks: false,
  }
}
