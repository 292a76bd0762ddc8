/** The layout of the service's own mail: the event, one button, and further facts. */
import { html } from '../text/html.ts'
import type { Mail } from './mailer.ts'

export interface ServiceMailWords {
  subject: string
  message: string
  button: string
  terms: string
  otherwise: string
}

export interface ServiceMailLink {
  label: string
  url: string
}

export interface ServiceMailParts extends ServiceMailWords {
  url: string
  /** Further links below the button. */
  also?: readonly ServiceMailLink[] | undefined
  /** The language of the words; English by default. */
  language?: string
}

export function serviceMail(parts: ServiceMailParts): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { subject, message, button, url, also = [], terms, otherwise, language = 'en' } = parts
  const further = also.map((link) => `${link.label}:\n${link.url}`)
  return {
    subject,
    text: [message, `${button}:\n${url}`, ...further, terms, otherwise].join('\n\n').concat('\n'),
    html: html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f6f7;color:#1c1c21;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e3e3e8;border-radius:8px">
<p style="margin:0 0 24px">${message}</p>
<p style="margin:0 0 24px"><a href="${url}" style="display:inline-block;padding:12px 20px;background:#4b45c6;color:#fff;border-radius:6px;text-decoration:none;font-weight:600">${button}</a></p>
${also.map((link) => html`<p style="margin:0 0 24px"><a href="${link.url}" style="color:#4b45c6">${link.label}</a></p>\n`)}<p style="margin:0 0 16px">${terms}</p>
<p style="margin:0;color:#5b5b66">${otherwise}</p>
</div>
</body>
</html>
`.toString(),
  }
}

/**
 * A word joiner follows each of these characters, because mail programs turn addresses into links.
 * The name is a stranger's text in a mail to a person who has not asked for it.
 */
export function withoutLinks(name: string): string {
  return name.replaceAll(/[./:@]/g, '$&\u2060')
}
