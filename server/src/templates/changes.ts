/** The fields of a call that changes a template. Fields that it leaves out stay as they are. */

import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatCharacter, hasUnseen } from '../lib/text/visible-text.ts'
import type { Block } from './blocks/block.ts'
import { type Part, parts, type TemplateChannel, type TemplateSource } from './source.ts'

export interface TemplateInput extends Partial<Record<Part, string>> {
  name?: string
  channel?: TemplateChannel
  /** As the caller wrote them. An empty list removes the blocks. */
  blocks?: readonly unknown[]
}

export interface TemplateDesign {
  name: string
  channel: TemplateChannel
  source: TemplateSource
}

export async function designOf(
  before: TemplateDesign | undefined,
  input: TemplateInput,
): Promise<TemplateDesign | Refusal> {
  const channel = input.channel ?? before?.channel ?? 'email'
  if (before && channel !== before.channel) {
    return no('channel', `is ${before.channel} and stays so: make another template.`)
  }
  const blocks = input.blocks && (await import('./blocks/read.ts')).readBlocks(input.blocks)
  if (isRefusal(blocks)) return blocks
  const { blocks: _read, ...texts } = input
  const source = changedSource(before?.source ?? {}, { ...texts, ...(blocks && { blocks }) })
  const format = formatCharacter(source.subject ?? '')
  if (format) return no('subject', `holds ${format}, which nobody sees: leave that character out.`)
  const name = input.name ?? before?.name
  if (name === undefined) return no('name', 'is missing: a new template needs one.')
  if (name !== name.trim() || name === '' || hasUnseen(name)) {
    return no('name', 'takes one line of text without spaces around it.')
  }
  if (channel === 'email') return { name, channel, source: { subject: '', ...source } }
  const extra = fields.find((field) => field !== 'text' && source[field] !== undefined)
  if (extra) return no(extra, 'is for email: a text message is text alone.')
  return { name, channel, source: { text: source.text ?? '' } }
}

interface Parts extends Partial<Record<Part, string>> {
  blocks?: Block[]
}

const fields = [...parts, 'blocks'] as const

/** Fields of which a mail has one. A new one replaces the others and the text made for them. */
const bodies = ['html', 'mjml', 'blocks'] as const

/** In a fixed order, so that the same source gives the same JSON. */
function changedSource(before: Parts, input: Parts): Parts {
  const source: Parts = {}
  for (const part of parts) {
    const text = input[part] ?? (isReplaced(part, before, input) ? undefined : before[part])
    if (text !== undefined && text !== '') source[part] = text
  }
  const blocks = input.blocks ?? (isReplaced('blocks', before, input) ? undefined : before.blocks)
  if (blocks !== undefined && blocks.length > 0) source.blocks = blocks
  return source
}

function isReplaced(field: Part | 'blocks', before: Parts, input: Parts): boolean {
  const given = bodies.filter((body) => isGiven(input[body]))
  if (field === 'text') {
    return given.some((body) => JSON.stringify(input[body]) !== JSON.stringify(before[body]))
  }
  return bodies.some((body) => body === field) && given.some((body) => body !== field)
}

const isGiven = (body: string | Block[] | undefined) => body !== undefined && body.length > 0

function no(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}

/** A notice if a new body replaced the old text, which is now derived from that body. */
export function textReplaced(before: TemplateSource, after: TemplateSource): string[] {
  const had = 'subject' in before && before.text !== undefined
  const has = 'subject' in after && after.text !== undefined
  if (!had || has) return []
  return ['The old text was dropped: the text is made of the new HTML. Give text to write it.']
}
