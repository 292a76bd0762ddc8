/** The thread in which templates are compiled and rendered (`compile.ts` of the room asks it). */
import { answerQuestions, type Progress } from '../../platform/thread-side.ts'
import type { Part, TemplateSource } from '../source.ts'
import { type CompiledParts, type CompiledSource, compileSource, faultOf } from './compile.ts'
import {
  fixedTexts,
  type ParsedPart,
  parsePart,
  renderPart,
  renderText,
  type Variables,
} from './liquid.ts'
import { SourceError } from './source-error.ts'

export type Question =
  | { ask: 'compile'; source: TemplateSource }
  | { ask: 'text'; html: string }
  /** With `parts` the thread need not know the template, and tells its fixed texts. */
  | { ask: 'render'; key: string; parts?: CompiledParts; variables: Variables }

/** A rendered text: what was filled in, and numbers of the fixed texts between. */
export type Pieces = (string | number)[]

export interface RenderedPieces {
  subject: string
  html?: Pieces
  text: Pieces
  /** Told where the question brought the parts. */
  fixed?: { html: string[]; text: string[] }
}

export type Answer =
  | { told: 'compiled'; compiled: CompiledSource }
  | { told: 'text'; text: string }
  | { told: 'rendered'; rendered: RenderedPieces }
  | { told: 'unknown' }
  | { told: 'wrong'; part: Part; message: string }

/** Templates kept parsed; the one that was longest not used goes first. */
const kept = 200
/** Shorter texts are sent as they are: their number would be no shorter. */
const shortest = 40

interface Loaded {
  subject: ParsedPart
  html?: Known
  text: Known
}

interface Known {
  part: ParsedPart
  numbers: Map<string, number>
}

const loaded = new Map<string, Loaded>()

answerQuestions<Question, Answer>(async (question, progress) => {
  try {
    switch (question.ask) {
      case 'compile':
        return { told: 'compiled', compiled: await compileSource(question.source, progress) }
      case 'render':
        return render(question, progress)
      case 'text':
        return { told: 'text', text: await textOf(question.html, progress) }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { told: 'wrong', part: error.part, message: error.message }
  }
})

type Render = Extract<Question, { ask: 'render' }>

function render({ key, parts, variables }: Render, progress: Progress): Answer {
  const known = loaded.get(key)
  if (!known && !parts) return { told: 'unknown' }
  const template = known ?? load(parts as CompiledParts)
  loaded.delete(key)
  loaded.set(key, template)
  const [oldest] = loaded.keys()
  if (loaded.size > kept && oldest !== undefined) loaded.delete(oldest)

  const within = <T>(part: Part, work: () => T): T => {
    // Saying where it is would cost every later render as much as a short one takes.
    if (parts) progress.step(part)
    return orSourceError(part, work)
  }
  const { html, text } = template
  const rendered: RenderedPieces = {
    subject: within('subject', () => renderText(template.subject, variables)),
    ...(html && { html: within('html', () => piecesOf(html, variables)) }),
    text: within('text', () => piecesOf(text, variables)),
  }
  if (parts) {
    const texts = (one?: Known) => [...(one?.numbers.keys() ?? [])]
    rendered.fixed = { html: texts(html), text: texts(text) }
  }
  return { told: 'rendered', rendered }
}

async function textOf(html: string, progress: Progress): Promise<string> {
  progress.loading()
  const { textOfHtml } = await import('./markup.ts')
  progress.step('html')
  return textOfHtml(html)
}

function load({ subject, html, text }: CompiledParts): Loaded {
  const known = (source: string, kind: 'html' | 'plain'): Known => ({
    part: parsePart(source, kind),
    numbers: new Map(fixedTexts(source, shortest).map((one, n) => [one, n])),
  })
  return {
    subject: parsePart(subject, 'plain'),
    ...(html !== undefined && { html: known(html, 'html') }),
    text: known(text, 'plain'),
  }
}

/** A value that happens to say what a fixed text says is the same text, so it may be its number. */
function piecesOf({ part, numbers }: Known, variables: Variables): Pieces {
  const pieces: Pieces = []
  let filled = ''
  renderPart(part, variables, (text) => {
    const n = text.length < shortest ? undefined : numbers.get(text)
    if (n === undefined) {
      filled += text
      return
    }
    if (filled !== '') pieces.push(filled)
    filled = ''
    pieces.push(n)
  })
  if (filled !== '') pieces.push(filled)
  return pieces
}

function orSourceError<T>(part: Part, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // The line would be one of the compiled part, which the author never saw.
    const fault = faultOf(error).replace(/ \(line \d+\)$/, '')
    const rule = fault.includes('limit exceeded') ? 'asks for too much' : 'cannot be filled in'
    throw new SourceError(part, `${rule}: ${fault}.`)
  }
}
