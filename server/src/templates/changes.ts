/** The fields of a call that changes a template. Fields that it leaves out stay as they are. */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatCharacter, hasUnseen } from '../lib/text/visible-text.ts'
import { type Part, parts, type TemplateChannel, type TemplateSource } from './source.ts'

export interface TemplateInput extends Partial<Record<Part, string>> {
  name?: string
  channel?: TemplateChannel
}

export interface TemplateDesign {
  name: string
  channel: TemplateChannel
  source: TemplateSource
}

export function designOf(
  before: TemplateDesign | undefined,
  input: TemplateInput,
): TemplateDesign | Refusal {
  const channel = input.channel ?? before?.channel ?? 'email'
  if (before && channel !== before.channel) {
    return no('channel', `is ${before.channel} and stays so: make another template.`)
  }
  const source = changedSource(before?.source ?? {}, input)
  const format = formatCharacter(source.subject ?? '')
  if (format) return no('subject', `holds ${format}, which nobody sees: leave that character out.`)
  const name = input.name ?? before?.name
  if (name === undefined) return no('name', 'is missing: a new template needs one.')
  if (name !== name.trim() || name === '' || hasUnseen(name)) {
    return no('name', 'takes one line of text without spaces around it.')
  }
  if (channel === 'email') return { name, channel, source: { subject: '', ...source } }
  const extra = parts.find((part) => part !== 'text' && source[part] !== undefined)
  if (extra) return no(extra, 'is for email: a text message is text alone.')
  return { name, channel, source: { text: source.text ?? '' } }
}

type Parts = Partial<Record<Part, string>>

/** In a fixed order, so that the same source gives the same JSON. */
function changedSource(before: Parts, input: Parts): Parts {
  const source: Parts = {}
  for (const part of parts) {
    const text = input[part] ?? (isReplaced(part, before, input) ? undefined : before[part])
    if (text !== undefined && text !== '') source[part] = text
  }
  return source
}

/** HTML replaces MJML and vice versa. Either replaces the old text. */
function isReplaced(part: Part, before: Parts, input: Parts): boolean {
  if (part === 'text') return isOther('html', before, input) || isOther('mjml', before, input)
  return (part === 'html' && !!input.mjml) || (part === 'mjml' && !!input.html)
}

function no(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}

const isOther = (part: Part, before: Parts, input: Parts) =>
  !!input[part] && input[part] !== before[part]

/** A notice if new HTML replaced the old text, which is now derived from the HTML. */
export function textReplaced(before: TemplateSource, after: TemplateSource): string[] {
  const had = 'subject' in before && before.text !== undefined
  const has = 'subject' in after && after.text !== undefined
  if (!had || has) return []
  return ['The old text was dropped: the text is made of the new HTML. Give text to write it.']
}
