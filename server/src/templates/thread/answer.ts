/** The responses of a thread about templates: compiled, rendered, or passed on to the sender. */

import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { cut, type PiecedText, type SharedPiece } from '../../lib/email/quoted-printable.ts'
import { Later, type Progress } from '../../lib/threads/thread-side.ts'
import type { MailLook } from '../blocks/block.ts'
import { type PreviewSettings, previewVariables } from '../preview-data.ts'
import type { Part, TemplateSource } from '../source.ts'
import { type CompiledParts, type CompiledSource, compileSource } from './compile.ts'
import type { Converted, Foreign } from './foreign/convert.ts'
import {
  faultIn,
  fixedTexts,
  outputsWithoutValue,
  type ParsedPart,
  parsePart,
  renderPart,
  renderText,
  type Variables,
} from './liquid.ts'
import { isTooDeep, SourceError, tooDeep } from './source-error.ts'

export type Question =
  | { ask: 'compile'; source: TemplateSource; look: MailLook; previews?: PreviewSettings }
  /** Previews of a compiled template that has these names of variables. */
  | { ask: 'previews'; parts: CompiledParts; names: readonly string[]; previews: PreviewSettings }
  | { ask: 'text'; html: string }
  /** A mail of another program as blocks. */
  | { ask: 'convert'; foreign: Foreign }
  /** With `parts` the thread need not know the template, and returns its fixed texts. */
  | { ask: 'render'; key: string; parts?: CompiledParts; variables: Variables }
  /** Which of the names are output without a value, and in which part. */
  | { ask: 'missing'; parts: CompiledParts; variables: Variables; names: readonly string[] }
  | HandQuestion

/** A template to fill in for work that continues in the thread. */
export interface HandQuestion {
  ask: 'hand'
  key: string
  parts?: CompiledParts
  work: unknown
}

/** A rendered text: the filled-in parts, and the numbers of the fixed texts between them. */
export type Pieces = (string | number)[]

export interface RenderedPieces {
  subject: string
  html?: Pieces
  text: Pieces
  /** Set if the request included the parts. */
  fixed?: { html: string[]; text: string[] }
}

export type Answer =
  | { told: 'compiled'; compiled: CompiledSource; rendered: RenderedParts[] }
  | { told: 'previews'; rendered: RenderedParts[] }
  | { told: 'text'; text: string }
  | { told: 'converted'; converted: Converted }
  | { told: 'missing'; missing: MissingValues | undefined }
  | { told: 'rendered'; rendered: RenderedPieces }
  | { told: 'done'; done: unknown }
  | { told: 'unknown' }
  | { told: 'wrong'; place: string; message: string }

/** The whole texts. */
export interface RenderedParts {
  subject: string
  html?: string
  text: string
}

/** Names that a part outputs without a value. */
export interface MissingValues {
  part: Part
  names: string[]
}

/** The result of a template, in pieces. The template's own pieces are the same each time. */
export interface RenderedContent {
  subject: string
  html?: PiecedText
  text: PiecedText
}

/** The work that continues after a template was filled in. */
export interface Onward {
  /** Undefined for work that needs data that the thread has not received, or has dropped. */
  take(
    work: unknown,
  ):
    | { variables: Variables; end(rendered: RenderedContent, progress: Progress): Promise<unknown> }
    | undefined
}

/** The number of parsed templates in the cache. The least recently used is dropped first. */
const keptTemplates = 200
/** Shorter texts are sent unchanged, because their number would be no shorter. */
const shortest = 40

interface Loaded {
  subject: ParsedPart
  html?: LoadedPart
  text: LoadedPart
}

interface LoadedPart {
  part: ParsedPart
  numbers: Map<string, number>
  /** The encoded fixed texts by number, as far as they were used in handed work. */
  cuts: SharedPiece[]
}

const loaded = new Map<string, Loaded>()

export function answerTo(
  question: Question,
  earlier: Progress,
  onward?: Onward,
): Answer | Promise<Answer> | Later<Answer> {
  const { progress, nameOfPlace } = followedSteps(earlier)
  try {
    switch (question.ask) {
      case 'compile':
        return orWrong(compiled(question, progress), nameOfPlace)
      case 'previews':
        return { told: 'previews', rendered: previewsOf(question, progress) }
      case 'render':
        return render(question, progress)
      case 'missing':
        return { told: 'missing', missing: missingIn(question, progress) }
      case 'text':
        return textOf(question.html, progress)
      case 'convert':
        return orWrong(convertedFrom(question.foreign, progress), nameOfPlace)
      case 'hand':
        return hand(question, progress, onward)
    }
  } catch (error) {
    return wrong(error, nameOfPlace)
  }
}

/** The steps of a question, and a reader of the part that it is at. */
function followedSteps(progress: Progress): { progress: Progress; nameOfPlace(): string } {
  let at = 'template'
  return {
    nameOfPlace: () => at,
    progress: {
      ours: () => progress.ours(),
      step(name) {
        at = name
        progress.step(name)
      },
      transfer: (transferable) => progress.transfer(transferable),
    },
  }
}

async function orWrong(answer: Promise<Answer>, nameOf: () => string): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    return wrong(error, nameOf)
  }
}

function wrong(error: unknown, nameOf: () => string): Answer {
  // The libraries that read HTML, CSS and MJML call themselves for each level.
  if (isTooDeep(error)) return { told: 'wrong', place: nameOf(), message: `${nameOf()} ${tooDeep}` }
  if (!(error instanceof SourceError)) throw error
  return { told: 'wrong', place: error.place, message: error.message }
}

type Compile = Extract<Question, { ask: 'compile' }>

async function compiled({ source, look, previews }: Compile, progress: Progress): Promise<Answer> {
  const compiledSource = await compileSource(source, progress, look)
  const { parts, variables: names } = compiledSource
  const rendered = previews ? previewsOf({ parts, names, previews }, progress) : []
  return { told: 'compiled', compiled: compiledSource, rendered }
}

type Previews = Pick<Extract<Question, { ask: 'previews' }>, 'parts' | 'names' | 'previews'>

function previewsOf({ parts, names, previews }: Previews, progress: Progress): RenderedParts[] {
  const [subject, text] = [parsePart(parts.subject, 'plain'), parsePart(parts.text, 'plain')]
  const html = parts.html === undefined ? undefined : parsePart(parts.html, 'html')
  return previews.data.map((data) => {
    const variables = previewVariables(data, names, previews)
    const filled = (part: Part, parsed: ParsedPart) =>
      within(part, progress, () => renderText(parsed, variables))
    return {
      subject: filled('subject', subject),
      ...(html && { html: filled('html', html) }),
      text: filled('text', text),
    }
  })
}

type Render = Extract<Question, { ask: 'render' }>

function render({ key, parts, variables }: Render, progress: Progress): Answer {
  const template = loadedFor(key, parts)
  if (!template) return { told: 'unknown' }
  const steps = parts && progress
  const { html, text } = template
  const rendered: RenderedPieces = {
    subject: within('subject', steps, () => renderText(template.subject, variables)),
    ...(html && { html: within('html', steps, () => piecesOf(html, variables)) }),
    text: within('text', steps, () => piecesOf(text, variables)),
  }
  if (parts) {
    const texts = (part?: LoadedPart) => [...(part?.numbers.keys() ?? [])]
    rendered.fixed = { html: texts(html), text: texts(text) }
  }
  return { told: 'rendered', rendered }
}

type Missing = Extract<Question, { ask: 'missing' }>

/** The names of the first part that has any. */
function missingIn(
  { parts, variables, names }: Missing,
  progress: Progress,
): MissingValues | undefined {
  for (const part of ['subject', 'html', 'text'] as const) {
    const source = parts[part]
    if (source === undefined) continue
    const match = within(part, progress, () =>
      outputsWithoutValue(parsePart(source, part === 'html' ? 'html' : 'plain'), variables, names),
    )
    if (match.length > 0) return { part, names: match }
  }
  return undefined
}

function hand(
  { key, parts, work }: HandQuestion,
  progress: Progress,
  onward: Onward | undefined,
): Answer | Later<Answer> {
  const template = loadedFor(key, parts)
  const onwardWork = template && onward?.take(work)
  if (!onwardWork) return { told: 'unknown' }
  const { html, text } = template
  const { variables } = onwardWork
  const steps = parts && progress
  const rendered: RenderedContent = {
    subject: within('subject', steps, () => renderText(template.subject, variables)),
    ...(html && { html: within('html', steps, () => contentOf(html, variables)) }),
    text: within('text', steps, () => contentOf(text, variables)),
  }
  progress.ours()
  const done = onwardWork.end(rendered, progress)
  return new Later(done.then((answer): Answer => ({ told: 'done', done: answer })))
}

function within<T>(part: Part, steps: Progress | undefined, work: () => T): T {
  // Reported only with parts: it would double the cost of a short later render.
  steps?.step(part)
  return orSourceError(part, work)
}

async function textOf(html: string, progress: Progress): Promise<Answer> {
  progress.ours()
  const { textOfHtml } = await import('./markup.ts')
  progress.step('html')
  return { told: 'text', text: textOfHtml(html) }
}

async function convertedFrom(foreign: Foreign, progress: Progress): Promise<Answer> {
  progress.ours()
  const { convertMail } = await import('./foreign/convert.ts')
  progress.step(foreign.isMjml ? 'mjml' : 'html')
  return { told: 'converted', converted: convertMail(foreign) }
}

function loadedFor(key: string, parts: CompiledParts | undefined): Loaded | undefined {
  const template = loaded.get(key) ?? (parts && load(parts))
  if (!template) return undefined
  setNewest(loaded, [key, template], keptTemplates)
  return template
}

function load({ subject, html, text }: CompiledParts): Loaded {
  const partOf = (source: string, kind: 'html' | 'plain'): LoadedPart => ({
    part: parsePart(source, kind),
    numbers: new Map(fixedTexts(source, shortest).map((fixedText, n) => [fixedText, n])),
    cuts: [],
  })
  return {
    subject: parsePart(subject, 'plain'),
    ...(html !== undefined && { html: partOf(html, 'html') }),
    text: partOf(text, 'plain'),
  }
}

/** A value that equals a fixed text may be replaced by its number, because the text is the same. */
function piecesOf({ part, numbers }: LoadedPart, variables: Variables): Pieces {
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

/** Encoded here once, for all messages of the template. */
function contentOf(part: LoadedPart, variables: Variables): PiecedText {
  const texts = [...part.numbers.keys()]
  return piecesOf(part, variables).map((piece) => {
    if (typeof piece === 'string') return piece
    part.cuts[piece] ??= cut(texts[piece] as string)
    return part.cuts[piece]
  })
}

function orSourceError<T>(part: Part, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isTooDeep(error)) throw new SourceError(part, tooDeep)
    const fault = faultIn(error)
    const rule = fault.includes('limit exceeded') ? 'asks for too much' : 'cannot be filled in'
    throw new SourceError(part, `${rule}: ${fault}.`)
  }
}
