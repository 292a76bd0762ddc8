/** The output of a template: counted, and markup if it was captured. */
import { CaptureTag, type Context, type Emitter } from 'liquidjs'
import { templateLimits } from '../source.ts'
import { Markup, spell } from './filters.ts'

/** Counts the output, which Liquid's own limits do not. */
export class Written implements Emitter {
  buffer = ''
  #length = 0
  readonly #write: (text: string) => void

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  write(value: unknown): void {
    const text = spell(value)
    if (text === '') return
    this.#length += text.length
    if (this.#length > templateLimits.renderedLength) {
      throw new Error(`it comes out longer than ${templateLimits.renderedLength} characters`)
    }
    this.#write(text)
  }
}

/** Stores captured output as markup. Otherwise its HTML would be escaped where it is used. */
export class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const { renderer, options } = this.liquid
    const texts: string[] = []
    yield renderer.renderTemplates(
      this.templates,
      context,
      new Written((entry) => texts.push(entry)),
    )
    const text = texts.join('')
    context.memoryLimit.use(text.length)
    context.bottom()[this.variable] = options.outputEscape ? new Markup(text) : text
  }
}
