/** Gates about flaws of a mail that do not stop it: missing values, and its size. */
import { markupFlaws } from '../../../templates/markup-flaws.ts'
import { kindOf, type Preview, shownBytes } from '../../../templates/previews.ts'
import { endsOpen } from '../open-end.ts'
import type { Gate } from './gate.ts'

export function sizeGate(previews: readonly Preview[]): Gate {
  const gate = 'size'
  const bytes = Math.max(...previews.map(({ html = '' }) => Buffer.byteLength(html)))
  const evidence = `The mail takes up to ${kilobytes(bytes)} kB of HTML.`
  if (bytes <= shownBytes) return { gate, result: 'pass', evidence }
  return {
    gate,
    result: 'warn',
    evidence: `${evidence} Gmail hides what is beyond ${kilobytes(shownBytes)} kB, the unsubscribe link with it.`,
    remedy: `Bring it below ${kilobytes(shownBytes)} kB: fewer inlined styles, no images within the HTML.`,
  }
}

const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)

export function accessibilityGate(previews: readonly Preview[]): Gate {
  const gate = 'accessibility'
  const flaws = new Set(previews.flatMap(({ html = '' }) => markupFlaws(html)))
  if (flaws.size === 0) {
    const evidence = 'Images say what they show, and headings are in order.'
    return { gate, result: 'pass', evidence }
  }
  return {
    gate,
    result: 'warn',
    evidence: [...flaws].join(' '),
    remedy: 'Mend it in the content: some people hear the mail and do not see it.',
  }
}

export function contentGate(previews: readonly Preview[]): Gate {
  const gate = 'content'
  const empty = previews.find(({ html, subject, text }) => {
    return `${html ?? ''}${text}`.trim() === '' || (html !== undefined && subject.trim() === '')
  })
  if (!empty) return { gate, result: 'pass', evidence: 'It says something to everybody.' }
  return {
    gate,
    result: 'block',
    evidence: `With ${kindOf(empty)} the subject or the message comes out empty.`,
    remedy: 'Write words that do not depend on a value, or give the value a default.',
  }
}

export function subjectGate(previews: readonly Preview[]): Gate {
  const gate = 'subject'
  const open = previews.find(({ data, subject }) => data !== 'longest' && endsOpen(subject))
  if (!open) return { gate, result: 'pass', evidence: 'The subject is a whole line.' }
  return {
    gate,
    result: 'warn',
    evidence: `With ${kindOf(open)} the subject ends in the middle of a line: “${open.subject.trim().slice(-60)}”.`,
    remedy: 'Finish the subject: it ends in a colon, or in a word such as at, to or for.',
  }
}

export interface MissingVariables {
  /** Variables that nothing in a campaign provides. */
  unknown: readonly string[]
  /** For each variable, how many of the contacts examined have no value. */
  missing: readonly { name: string; count: number }[]
  lookedAt: number
}

export function variablesGate({ unknown, missing, lookedAt }: MissingVariables): Gate {
  const gate = 'variables'
  const gaps = [
    ...unknown.map((name) => `{{ ${name} }} is empty for everybody`),
    ...missing.map(({ name, count }) => `{{ ${name} }} is empty for ${count} of ${lookedAt}`),
  ]
  if (gaps.length === 0) {
    return { gate, result: 'pass', evidence: 'Every value it asks for is there, or has a default.' }
  }
  return {
    gate,
    result: 'warn',
    evidence: `${gaps.join('; ')}.`,
    remedy: 'Give it a default, {{ contact.name | default: "you" }}, or another name.',
  }
}
