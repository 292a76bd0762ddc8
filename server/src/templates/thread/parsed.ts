/** Parses what an author wrote, and tells its faults in the author's terms. */
import { parsePart } from './liquid.ts'
import { isTooDeep, SourceError, tooDeep } from './source-error.ts'

/** Parsed before any rewriting, so that line numbers are those of the author. */
export function assertParses(name: string, text: string, kind: 'html' | 'plain'): void {
  try {
    parsePart(text, kind)
  } catch (error) {
    if (isTooDeep(error)) throw new SourceError(name, tooDeep)
    throw new SourceError(name, `is no template: ${faultOf(error)}.`)
  }
}

/** Liquid's message for a fault, without the excerpt of the source that it adds. */
export function faultOf(error: unknown): string {
  const { message } = error as Error
  const [first = ''] = message.split('\n')
  return first.slice(0, 200).replace(/, line:(\d+), col:\d+$/, ' (line $1)')
}

/** Removes the line, which refers to the generated text that the author never saw. */
export function faultIn(error: unknown): string {
  return faultOf(error).replace(/ \(line \d+\)$/, '')
}
