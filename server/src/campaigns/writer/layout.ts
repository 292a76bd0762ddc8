/**
 * Builds a mail from a draft's content: blocks, which its owner edits in the app without markup.
 */
import type { Block, Leaf } from '../../templates/blocks/block.ts'
import { literal, withoutMarks as plain } from '../../templates/gallery/fill.ts'
import type { Copy, Section, Surroundings } from './copy.ts'

export interface MailSource {
  subject: string
  preheader: string
  blocks: Block[]
}

export function layOut(copy: Copy, around: Surroundings): MailSource {
  return {
    subject: literal(copy.subject),
    preheader: literal(copy.preheader),
    blocks: blocksOf(copy, around.sender),
  }
}

function greetingOf({ greeting, nameless }: Copy): string {
  const words = plain(greeting)
  // The app shows a value with a default as one chip, and a condition as code.
  if (nameless !== undefined) return `${words} {{ contact.first_name | default: "${nameless}" }},`
  return `${words}{% if contact.first_name %} {{ contact.first_name }}{% endif %},`
}

/** The sender's address and the unsubscribe link are missing here: sending adds them to every mail. */
function blocksOf(copy: Copy, sender: string): Leaf[] {
  return [
    { type: 'heading', text: literal(copy.headline) },
    { type: 'text', text: greetingOf(copy) },
    ...copy.sections.flatMap(sectionBlocks),
    { type: 'text', text: `${plain(copy.closing)}\n${plain(sender)}` },
    { type: 'view_link', align: 'center' },
  ]
}

function sectionBlocks({ heading, paragraphs, points, button }: Section): Leaf[] {
  return [
    ...(heading === '' ? [] : [{ type: 'heading', text: literal(heading) } as const]),
    ...paragraphs.map((text) => ({ type: 'text', text: plain(text) }) as const),
    ...(points.length === 0 ? [] : [{ type: 'list', items: points.map(plain) } as const]),
    ...(button
      ? [{ type: 'button', text: literal(button.label), url: literal(button.url) } as const]
      : []),
  ]
}
