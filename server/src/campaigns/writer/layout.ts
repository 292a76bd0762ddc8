/**
 * Builds a mail from a draft's content: MJML that reads well on a phone, in dark mode and without
 * images, and the same as plain text. The sender, address and unsubscribe link come last.
 */
import { textColourOn } from '../../accounts/settings/contrast.ts'
import { escapeHtml } from '../../lib/text/html.ts'
import { darkStyles } from '../../templates/blocks/dark.ts'
import type { Copy, Section, Surroundings } from './copy.ts'

export interface MailSource {
  subject: string
  preheader: string
  mjml: string
  text: string
}

export function layOut(copy: Copy, around: Surroundings): MailSource {
  return {
    subject: literal(copy.subject),
    preheader: literal(copy.preheader),
    mjml: mjmlOf(copy, around),
    text: textOf(copy, around.sender),
  }
}

/** Escapes text that is not a template: Liquid itself writes what would open its code. */
export function literal(text: string): string {
  return text.replace(/\{(?=[{%])/g, '{{ "{" }}')
}

const markup = (text: string) => literal(escapeHtml(text))

const way = '{{ preferences_url }}'
type EscapeText = (text: string) => string

function greetingOf({ greeting, namelessGreeting = greeting }: Copy, spell: EscapeText): string {
  const name = '{{ contact.name }}'
  return `{% if contact.name %}${spell(greeting)} ${name}{% else %}${spell(namelessGreeting)}{% endif %},`
}

const usualColour = '#4338ca'

function mjmlOf(copy: Copy, { sender, business, colour }: Surroundings): string {
  const button = colour ?? usualColour
  return `<mjml lang="${escapeHtml(business.language)}">
  <mj-head>
    <mj-title>${markup(copy.headline)}</mj-title>
    <mj-attributes>
      <mj-all font-family="-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.6" color="#24242b" padding="0 32px 16px" />
      <mj-button background-color="${button}" color="${textColourOn(button)}" font-size="16px" font-weight="600" border-radius="8px" inner-padding="14px 28px" padding="8px 32px 24px" align="left" />
    </mj-attributes>
    <mj-raw>
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
      <style data-embed="true">${darkStyles}</style>
    </mj-raw>
  </mj-head>
  <mj-body background-color="#f4f4f7" css-class="page">
    <mj-section padding="32px 0 8px" css-class="muted">
      <mj-column>
        <mj-text font-size="14px" font-weight="600" color="#5a5a65">${markup(sender)}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" border-radius="12px" padding="32px 0 16px" css-class="card">
      <mj-column>
        <mj-text padding="0 32px 20px"><h1 style="margin:0;font-size:26px;line-height:1.25">${markup(copy.headline)}</h1></mj-text>
        <mj-text>${greetingOf(copy, markup)}</mj-text>
${copy.sections.flatMap(sectionMjml).join('\n')}
        <mj-text>${markup(copy.closing)}<br />${markup(sender)}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section padding="16px 0 32px" css-class="muted">
      <mj-column>
        <mj-text font-size="12px" color="#5a5a65" align="center" padding="0 32px 8px">{{ business.name }}{% if business.postal_address %}<br /><span style="white-space:pre-line">{{ business.postal_address }}</span>{% endif %}</mj-text>
        <mj-text font-size="12px" color="#5a5a65" align="center"><a href="${way}" style="color:#5a5a65">Unsubscribe or choose what you get</a>{% if view_url != blank %}<br /><a href="{{ view_url }}" style="color:#5a5a65">View in browser</a>{% endif %}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`
}

function sectionMjml({ heading, paragraphs, points, button }: Section): string[] {
  const lines: string[] = []
  const line = (tag: string, content: string, attributes = '') =>
    lines.push(`        <${tag}${attributes}>${content}</${tag}>`)
  if (heading !== '') {
    line(
      'mj-text',
      `<h2 style="margin:8px 0 0;font-size:19px;line-height:1.3">${markup(heading)}</h2>`,
    )
  }
  for (const paragraph of paragraphs) line('mj-text', markup(paragraph))
  if (points.length > 0) {
    const items = points.map((point) => `<li style="margin:0 0 6px">${markup(point)}</li>`)
    line('mj-text', `<ul style="margin:0;padding:0 0 0 20px">${items.join('')}</ul>`)
  }
  if (button) line('mj-button', markup(button.label), ` href="${markup(button.url)}"`)
  return lines
}

function textOf(copy: Copy, sender: string): string {
  const blocks = [
    literal(copy.headline),
    greetingOf(copy, literal),
    ...copy.sections.flatMap(sectionText),
    `${literal(copy.closing)}\n${literal(sender)}`,
    `-- \n{{ business.name }}{% if business.postal_address %}\n{{ business.postal_address }}{% endif %}`,
    `Unsubscribe or choose what you get:\n${way}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function sectionText({ heading, paragraphs, points, button }: Section): string[] {
  return [
    ...(heading === '' ? [] : [literal(heading)]),
    ...paragraphs.map(literal),
    ...(points.length === 0 ? [] : [points.map((point) => `- ${literal(point)}`).join('\n')]),
    ...(button ? [`${literal(button.label)}:\n${literal(button.url)}`] : []),
  ]
}
