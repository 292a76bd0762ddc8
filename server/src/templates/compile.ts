/**
 * Templates compiled once and rendered for each recipient, in threads: what strangers wrote
 * runs nowhere else. A first render goes to a thread of its own, so that a template which
 * never ends holds up nothing but other first renders, and those for a second at most.
 */
import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../platform/errors.ts'
import { type Content, type Cut, cut, textOf } from '../platform/mail/quoted-printable.ts'
import { setNewest } from '../platform/set-newest.ts'
import { createThread, isStopped, type Stopped } from '../platform/thread.ts'
import { checkSource, type TemplateSource, templateLimits } from './source.ts'
import type { Answer, Pieces, Question, RenderedContent, RenderedPieces } from './thread/answer.ts'
import type { CompiledParts, CompiledSource } from './thread/compile.ts'

export type Variables = Readonly<Record<string, unknown>>

/** Survives JSON, so that a version is compiled once for all processes. */
export interface Compiled extends CompiledSource {
  /** The same for the same parts. */
  key: string
}

export interface Rendered {
  subject: string
  html?: string
  text: string
}

export interface Templates {
  check(source: TemplateSource): Promise<Refusal | Compiled>
  render(compiled: Compiled, variables: Variables): Promise<Rendered | Refusal>
  /** The same with what never changes encoded already: what `buildMessage` takes. */
  renderContent(compiled: Compiled, variables: Variables): Promise<RenderedContent | Refusal>
  /**
   * Has the template filled in and what it says worked on in the same thread, by the module of
   * `onward`; `work` says with what, in whole where the thread was not told or has forgotten.
   * Undefined for a template that has to be rendered by itself first, or was slow. Of a crowd
   * that asks for a new one, one is told so, and the others wait for what it does.
   */
  hand(compiled: Compiled, work: (whole: boolean) => unknown): Promise<unknown>
  /** The text of HTML that is no template, with the address of each link behind its words. */
  textOf(html: string): Promise<string | Refusal>
  /** For what many messages will be made of soon. */
  warm(): void
  close(): Promise<void>
}

export interface TemplatesOptions {
  /** How long a thread lives on without work; 1 minute. */
  idleMs?: number
  checkMs?: number
  deadlineMs?: number
  /** The thread of known templates, where what they say is worked on too; without it, none is. */
  onward?: { module: URL; data: () => unknown }
}

interface Fixed {
  html: Cut[]
  text: Cut[]
}

interface FirstRender {
  over: Promise<void>
  end(): void
}

/** A crowd waits for the first of it so long; it may have come to nothing. */
const firstMs = 1_000

function firstRender(): FirstRender {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  setTimeout(end, firstMs).unref()
  return { over, end }
}

/** Versions whose fixed texts are kept encoded; each takes about what its HTML does, twice. */
const kept = 200

export function createTemplates(options: TemplatesOptions = {}): Templates {
  const {
    checkMs = templateLimits.checkMs,
    deadlineMs = templateLimits.deadlineMs,
    onward,
  } = options
  const module = new URL('./thread/main.ts', import.meta.url)
  const thread = (heapMb: number, more?: typeof onward) =>
    createThread<Question, Answer>({
      module,
      heapMb,
      ...more,
      ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
    })
  const first = thread(256)
  const known = thread(128, onward)
  const fixed = new Map<string, Fixed>()
  const slow = new Set<string>()
  /** First renders that are to come, or under way. */
  const firsts = new Map<string, FirstRender>()

  return {
    async check(source) {
      const wrong = checkSource(source)
      if (wrong) return wrong
      const answer = await first.ask({ ask: 'compile', source }, checkMs)
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'compiled') throw new Error(`a thread answered ${answer.told}`)
      return { ...answer.compiled, key: keyOf(answer.compiled.parts) }
    },
    async render(compiled, variables) {
      const content = await this.renderContent(compiled, variables)
      if (content instanceof Error) return content
      const { subject, html, text } = content
      return { subject, ...(html !== undefined && { html: textOf(html) }), text: textOf(text) }
    },
    async renderContent(compiled, variables) {
      const answer = await ask(compiled, variables)
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'rendered') throw new Error(`a thread answered ${answer.told}`)
      return contentOf(compiled.key, answer.rendered)
    },
    async hand(compiled, work) {
      if (!onward) return undefined
      const { key } = compiled
      if (!fixed.has(key)) {
        const first = firsts.get(key)
        if (!first) {
          firsts.set(key, firstRender())
          return undefined
        }
        await first.over
      }
      if (!isQuick(compiled)) return undefined
      const answer = await askKnown(compiled, (parts) => {
        return { ask: 'hand', key, work: work(parts !== undefined), ...(parts && { parts }) }
      })
      if (isStopped(answer)) {
        if (answer.stopped === 'closed') return stoppedRefusal(answer)
        isSlow(compiled)
        return undefined
      }
      if (answer.told === 'wrong') return partRefusal(answer)
      if (answer.told !== 'done') throw new Error(`a thread answered ${answer.told}`)
      return answer.done
    },
    async textOf(html) {
      const answer = await first.ask({ ask: 'text', html }, deadlineMs)
      if (isStopped(answer)) return stoppedRefusal(answer)
      if (answer.told !== 'text') throw new Error(`a thread answered ${answer.told}`)
      return answer.text
    },
    warm() {
      first.warm()
      known.warm()
    },
    async close() {
      await Promise.all([first.close(), known.close()])
    },
  }

  /** One that was rendered before, and not too slowly. */
  function isQuick({ key }: Compiled): boolean {
    return fixed.has(key) && !slow.has(key)
  }

  function isSlow({ key }: Compiled): void {
    if (slow.size >= kept) slow.clear()
    slow.add(key)
  }

  /** A version that was rendered once goes to the quick thread; one that is slow there goes back. */
  async function ask(compiled: Compiled, variables: Variables): Promise<Answer | Stopped> {
    const { key, parts } = compiled
    if (!fixed.has(key)) return firstOf(compiled, variables)
    if (isQuick(compiled)) {
      const answer = await askKnown(compiled, (told) => {
        return { ask: 'render', key, variables, ...(told && { parts: told }) }
      })
      if (!isStopped(answer) || answer.stopped === 'closed') return answer
      isSlow(compiled)
    }
    return first.ask({ ask: 'render', key, parts, variables }, deadlineMs)
  }

  async function firstOf(compiled: Compiled, variables: Variables): Promise<Answer | Stopped> {
    const { key, parts } = compiled
    try {
      return await first.ask({ ask: 'render', key, parts, variables }, deadlineMs)
    } finally {
      const waiting = firsts.get(key)
      firsts.delete(key)
      // Once its texts are known: those are taken in by the turns that follow at once.
      setImmediate(() => waiting?.end())
    }
  }

  /** The parts go along only where the thread has not seen them, or has forgotten them. */
  async function askKnown(
    { parts }: Compiled,
    question: (parts?: CompiledParts) => Question,
  ): Promise<Answer | Stopped> {
    const answer = await known.ask(question(), templateLimits.renderMs)
    const unknown = !isStopped(answer) && answer.told === 'unknown'
    return unknown ? known.ask(question(parts), templateLimits.renderMs) : answer
  }

  function contentOf(
    key: string,
    { subject, html, text, fixed: told }: RenderedPieces,
  ): RenderedContent {
    let texts = fixed.get(key)
    if (told) {
      texts = { html: told.html.map(cut), text: told.text.map(cut) }
      setNewest(fixed, [key, texts], kept)
    }
    if (!texts) throw new Error('a thread told the numbers of texts that nobody has')
    const filled = (pieces: Pieces, cuts: Cut[]): Content =>
      pieces.map((piece) => (typeof piece === 'string' ? piece : (cuts[piece] ?? '')))
    return {
      subject,
      ...(html && { html: filled(html, texts.html) }),
      text: filled(text, texts.text),
    }
  }
}

function keyOf(parts: CompiledParts): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function partRefusal({ part, message }: { part: string; message: string }): Refusal {
  return refuse('invalid_request', message, { field: part })
}

function stoppedRefusal({ stopped, step }: Stopped): Refusal {
  if (stopped === 'closed') return refuse('unavailable', 'The service is stopping.')
  const part = step ?? 'template'
  const what = stopped === 'deadline' ? 'takes too long' : 'takes too much memory'
  const text = `${part} ${what}: look for loops over many items, very large ones, or many rules of style.`
  return refuse('invalid_request', text, step === undefined ? {} : { field: step })
}
